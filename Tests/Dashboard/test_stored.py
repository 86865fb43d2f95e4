"""What the broker had kept is old until something new comes, however it reaches the dashboard."""
import json
import unittest

from support import Broker
from support_dashboard import Dashboard, Vessel

YESTERDAY = "2026-11-29T06:00:00.000Z"


class StoredTests(unittest.TestCase):
    def test_by_two_subscriptions(self):
        with Broker() as broker, Vessel(broker) as vessel:
            vessel.client.publish(f"{vessel.base}/status", "online", 1, True)
            payload = {"value": 123.4, "unit": "\N{DEGREE SIGN}", "accuracy": 2, "quality": "good", "time": YESTERDAY}
            vessel.client.publish(f"{vessel.base}/heading/magnetic", json.dumps(payload), 1, True).wait_for_publish(5)
            with Dashboard(broker.port, topics="compass/wanderer compass/+") as board, board.events(vessel.base) as events:
                heading = events.wait_for(
                    lambda event, data: event == "message" and data["topic"] == "heading/magnetic" and data["payload"])
                self.assertTrue(heading["stored"])


if __name__ == "__main__":
    unittest.main()
