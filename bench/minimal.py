#!/usr/bin/python3
"""minimal.c's work in Python with paho-mqtt: the same options, the same files, topics and bytes; paho's own
network thread, and a wait after each sample's messages so that none pile up."""
import argparse
import math
import os
import time

import paho.mqtt.client as mqtt

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--port", type=int, default=1883)
parser.add_argument("--samples", type=int, default=-1)
parser.add_argument("--in", dest="input_rate", type=float, default=0)
parser.add_argument("--out", dest="output_rate", type=float, default=0)
parser.add_argument("--ca")
parser.add_argument("--files", nargs="+")
parser.add_argument("--topics", nargs="+")
options = parser.parse_args()
topics = [(topic, int(length)) for topic, length in (text.split("=") for text in options.topics)]

if hasattr(mqtt, "CallbackAPIVersion"):
    broker = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
else:
    broker = mqtt.Client()
if options.ca:
    broker.tls_set(ca_certs=options.ca)
broker.connect("127.0.0.1", options.port, keepalive=30)
broker.loop_start()
while not broker.is_connected():
    time.sleep(0.001)

files = [os.open(path, os.O_RDONLY) for path in options.files]
start = due = time.monotonic()
sample = 0
while sample != options.samples:
    sample += 1
    axes = [float(os.pread(file, 32, 0)) for file in files]
    heading = math.degrees(math.atan2(-axes[1], axes[0])) % 360
    now = time.monotonic()
    if now >= due:
        if options.output_rate:
            due += 1 / options.output_rate
        for topic, length in topics:
            wall = time.time()
            moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(wall))
            text = '{"value":%.1f,"unit":"°","accuracy":%.1f,"time":"%s.%03dZ"' % (heading, 2.5, moment, wall * 1000 % 1000)
            message = broker.publish(topic, text.encode().ljust(length - 1) + b"}", qos=0, retain=True)
        message.wait_for_publish()
    if options.input_rate:
        time.sleep(max(0, start + sample / options.input_rate - time.monotonic()))
broker.disconnect()
