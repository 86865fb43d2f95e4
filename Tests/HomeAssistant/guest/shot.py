"""shot.py DEVTOOLSPORT FOLDER PATH...: logs a browser in to Home Assistant and takes a picture of each page: FOLDER/0.png ...

SHOT_WAIT: seconds for a page to settle.
"""
import asyncio
import base64
import json
import os
import sys
import time

import aiohttp

from api import CLIENT, PASSWORD, URL, USER

WIDTH, HEIGHT = 1560, 1000


async def first_page(session, port):
    for _ in range(100):
        try:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as response:
                pages = [page for page in await response.json(content_type=None) if page["type"] == "page"]
                if pages:
                    return pages[0]["webSocketDebuggerUrl"]
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.1)
    raise SystemExit("the browser does not answer")


async def log_in(session):
    """The tokens of a session in the browser, through the API of the login form."""
    async def post(path, **body):
        async with session.post(URL + path, **body) as response:
            return await response.json(content_type=None)

    flow = await post("/auth/login_flow", json={"client_id": CLIENT, "handler": ["homeassistant", None], "redirect_uri": CLIENT})
    flow = await post(f"/auth/login_flow/{flow['flow_id']}", json={"client_id": CLIENT, "username": USER, "password": PASSWORD})
    tokens = await post("/auth/token", data={
        "client_id": CLIENT, "grant_type": "authorization_code", "code": flow["result"]})
    expires = int(time.time() * 1000) + tokens["expires_in"] * 1000
    return json.dumps({**tokens, "hassUrl": URL, "clientId": CLIENT, "expires": expires})


async def main():
    port, folder, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    async with aiohttp.ClientSession() as session:
        socket = await session.ws_connect(await first_page(session, port), max_msg_size=0)
        number = 0

        async def devtools(method, **options):
            nonlocal number
            number += 1
            await socket.send_json({"id": number, "method": method, "params": options})
            while True:
                answer = json.loads((await socket.receive()).data)
                if answer.get("id") == number:
                    return answer.get("result", answer)

        await devtools("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        await devtools("Page.navigate", url=URL + "/manifest.json")
        await asyncio.sleep(1)
        tokens = json.dumps(await log_in(session))
        await devtools("Runtime.evaluate", expression=f"localStorage.setItem('hassTokens', {tokens})")
        for index, path in enumerate(paths):
            await devtools("Page.navigate", url=URL + path)
            await asyncio.sleep(float(os.environ.get("SHOT_WAIT") or 10))
            picture = await devtools("Page.captureScreenshot", format="png")
            with open(f"{folder}/{index}.png", "wb") as file:
                file.write(base64.b64decode(picture["data"]))
        await devtools("Browser.close")


asyncio.run(main())
