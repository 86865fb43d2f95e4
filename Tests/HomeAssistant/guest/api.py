"""api.py onboard | wait | dump LOG: talks to Home Assistant over its own REST and websocket API."""
import asyncio
import json
import os
import re
import sys

import aiohttp

URL = os.environ["HA_URL"]
CLIENT = URL + "/"
USER, PASSWORD = "test", "home-assistant-test"


class Socket:
    """The websocket API: `await socket("get_states")`."""

    def __init__(self, session, token):
        self.session, self.token, self.number = session, token, 0

    async def __aenter__(self):
        self.socket = await self.session.ws_connect(URL + "/api/websocket", max_msg_size=0)
        await self.socket.receive_json()
        await self.socket.send_json({"type": "auth", "access_token": self.token})
        answer = await self.socket.receive_json()
        if answer["type"] != "auth_ok":
            raise SystemExit(f"authentication: {answer}")
        return self

    async def __aexit__(self, *error):
        await self.socket.close()

    async def __call__(self, kind, **options):
        self.number += 1
        await self.socket.send_json({"id": self.number, "type": kind, **options})
        while True:
            answer = await self.socket.receive_json()
            if answer.get("id") == self.number and answer["type"] == "result":
                if not answer["success"]:
                    raise RuntimeError(f"{kind}: {answer['error']}")
                return answer["result"]


async def onboard(session):
    async def post(path, token=None, **body):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with session.post(URL + path, headers=headers, **body) as response:
            text = await response.text()
            if response.status >= 300:
                raise SystemExit(f"POST {path}: {response.status} {text}")
            return json.loads(text) if text else None

    for _ in range(100):
        async with session.get(URL + "/api/onboarding") as response:
            if response.status == 200:
                break
        await asyncio.sleep(0.2)
    user = await post("/api/onboarding/users", json={
        "client_id": CLIENT, "name": USER, "username": USER, "password": PASSWORD, "language": "en"})
    grant = {"client_id": CLIENT, "grant_type": "authorization_code", "code": user["auth_code"]}
    token = (await post("/auth/token", data=grant))["access_token"]
    await add_mqtt(post, token)
    async with Socket(session, token) as socket:
        print(await socket("auth/long_lived_access_token", client_name="tests", lifespan=3650))


async def add_mqtt(post, token):
    """Through the config flow, form by form."""
    flows = "/api/config/config_entries/flow"
    flow = await post(flows, token, json={"handler": "mqtt", "show_advanced_options": False})
    for _ in range(4):
        if flow["type"] == "create_entry":
            return
        names = {field.get("name") for field in flow.get("data_schema") or []}
        answers = {}
        if flow["type"] == "menu":
            answers = {"next_step_id": next(option for option in flow["menu_options"] if "broker" in option)}
        elif "broker" in names:
            answers = {"broker": "127.0.0.1", "port": int(os.environ["MQTT_PORT"])}
        if "other_settings" in names:
            answers["other_settings"] = {"set_client_cert": False, "set_ca_cert": "off"}
        flow = await post(f"{flows}/{flow['flow_id']}", token, json=answers)
    if flow["type"] != "create_entry":
        raise SystemExit(f"the flow of the MQTT integration: {flow}")


async def wait(session):
    """Until it runs and its MQTT integration is connected."""
    config, states = None, None
    async with Socket(session, os.environ["HA_TOKEN"]) as socket:
        for _ in range(300):
            config = (await socket("get_config"))["state"]
            states = [entry["state"] for entry in await socket("config_entries/get", domain="mqtt")]
            if config == "RUNNING" and states == ["loaded"] and await can_publish(socket):
                return
            await asyncio.sleep(0.1)
    raise SystemExit(f"not ready: {config} {states}")


async def can_publish(socket):
    """Loaded does not mean connected."""
    try:
        await socket("call_service", domain="mqtt", service="publish", service_data={"topic": "hatest", "payload": "x"})
    except RuntimeError:
        return False
    return True


DEVICE = ("identifiers", "name", "manufacturer", "model", "sw_version")


async def dump(session, log):
    async with Socket(session, os.environ["HA_TOKEN"]) as socket:
        states = {state["entity_id"]: state for state in await socket("get_states")}
        registry = [entry for entry in await socket("config/entity_registry/list") if entry["platform"] == "mqtt"]
        devices = {entry["device_id"] for entry in registry}
        found = {
            "devices": [{key: device.get(key) for key in DEVICE}
                        for device in await socket("config/device_registry/list") if device["id"] in devices],
            "entities": {entry["entity_id"]: describe(entry, states.get(entry["entity_id"])) for entry in registry},
            "statistics": await socket("recorder/list_statistic_ids"),
            "log": complaints(log),
        }
    json.dump(found, sys.stdout, indent=1, ensure_ascii=False)


def describe(entry, state):
    attributes = dict((state or {}).get("attributes", {}))
    return {"state": state and state["state"], "unit": attributes.pop("unit_of_measurement", None),
            "category": entry["entity_category"], "disabled": entry["disabled_by"], "unique_id": entry["unique_id"],
            "attributes": attributes}


def complaints(log):
    """Entries of the log at WARNING or above that are about MQTT or a template."""
    entries = []
    with open(log, errors="replace", encoding="utf-8") as file:
        for line in file:
            if re.match(r"\d{4}-\d\d-\d\d ", line):
                entries.append(line.rstrip())
            elif entries:
                entries[-1] += "\n" + line.rstrip()
    return [entry for entry in entries if re.match(r"\S+ \S+ (WARNING|ERROR|CRITICAL)\b", entry)
            and ("mqtt" in entry.lower() or "helpers.template" in entry)]


async def main():
    async with aiohttp.ClientSession() as session:
        await {"onboard": onboard, "wait": wait, "dump": dump}[sys.argv[1]](session, *sys.argv[2:])


if __name__ == "__main__":
    asyncio.run(main())
