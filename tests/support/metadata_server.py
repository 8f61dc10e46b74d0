#!/usr/bin/env python3
"""A metadata service on 127.0.0.1, as strict as the real ones, or broken in a way that is named.

    metadata_server.py CLOUD MODE PORT-FILE LOG-FILE

CLOUD is aws, azure or gcp; MODE is good, or one of those in `broken`. The port is written to PORT-FILE once it
listens; each request becomes a line "METHOD PATH" in LOG-FILE. Answers are after the documents of the clouds: EC2 User
Guide (IMDSv2), azure-compute-docs instance-metadata-service.md, cloud.google.com/compute/docs/metadata.
"""
import json
import socketserver
import sys
import time

cloud, mode, port_file, log_file = sys.argv[1:]
TOKEN = "AQAEAGFzLXRva2VuLWZvci10ZXN0cw=="
V = "api-version=2021-12-13"

AWS = {
    "/latest/meta-data/instance-type": "t4g.medium",
    "/latest/meta-data/placement/availability-zone": "eu-central-1b",
    "/latest/meta-data/ami-id": "ami-0123456789abcdef0",
    "/latest/meta-data/block-device-mapping/": "ami\nebs1\nroot",
    "/latest/meta-data/block-device-mapping/ebs1": "sdf",
    "/latest/meta-data/block-device-mapping/root": "/dev/xvda",
}
STORAGE = {
    "dataDisks": [{"bytesPerSecondThrottle": "", "caching": "ReadOnly", "diskSizeGB": "64", "lun": "0",
                   "managedDisk": {"id": "/subscriptions/0/disks/data0", "storageAccountType": "Premium_LRS"},
                   "name": "data0", "opsPerSecondThrottle": ""}],
    "osDisk": {"caching": "ReadWrite", "diffDiskSettings": {"option": ""}, "diskSizeGB": "30",
               "managedDisk": {"id": "/subscriptions/0/disks/os", "storageAccountType": "Premium_LRS"}, "name": "os"},
    "resourceDisk": {"size": "14680064"},
}
AZURE = {
    "/metadata/instance/compute/vmSize?" + V + "&format=text": "Standard_DS2_v2",
    "/metadata/instance/compute/location?" + V + "&format=text": "westeurope",
    "/metadata/instance/compute/storageProfile?" + V + "&format=json": json.dumps(STORAGE),
}
DISKS = [{"deviceName": n, "index": i, "interface": "SCSI", "mode": "READ_WRITE", "type": t} for i, (n, t) in enumerate(
    [("boot", "PERSISTENT-BALANCED"), ("data-1", "PERSISTENT-SSD"), ("data-2", "PERSISTENT-SSD")])]
GCP = {
    "/computeMetadata/v1/instance/machine-type": "projects/123456789012/machineTypes/n2-standard-8",
    "/computeMetadata/v1/instance/zone": "projects/123456789012/zones/europe-west3-a",
    "/computeMetadata/v1/instance/image": "projects/debian-cloud/global/images/debian-12",
    "/computeMetadata/v1/instance/disks/?recursive=true": json.dumps(DISKS),
}

broken = {  # mode: raw bytes, or status and headers
    "redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/stolen\r\nContent-Length: 0\r\n\r\n",
    "denied": b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
    "missing": b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nnot found",
    "half": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly th",
    "other": b"SSH-2.0-OpenSSH_9.2\r\n",
    "empty": b"",
    "portal": b"HTTP/1.1 200 OK\r\nContent-Length: 39\r\n\r\n<html>Please log in to the WLAN.</html>\n",
    "hostile": b"HTTP/1.1 200 OK\r\nMetadata-Flavor: Google\r\nContent-Length: 24\r\n\r\n\x1b[2J\r\nX-Evil: 1\r\n'\"$(x)\x00y",
}


def reply(status, body, *headers):
    lines = ["HTTP/1.1 %d X" % status, "Content-Length: %d" % len(body), "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def aws(method, path, head):
    if path == "/latest/api/token":
        ttl = head.get("x-aws-ec2-metadata-token-ttl-seconds", "")
        if method != "PUT":
            return reply(405, "")
        if "x-forwarded-for" in head:
            return reply(403, "")
        return reply(200, TOKEN) if ttl.isdigit() and 1 <= int(ttl) <= 21600 else reply(400, "")
    if head.get("x-aws-ec2-metadata-token") != TOKEN:
        return reply(401, "")
    return reply(200, AWS[path]) if method == "GET" and path in AWS else reply(404, "")


def azure(method, path, head):
    if head.get("metadata") != "true" or "x-forwarded-for" in head:
        return reply(400, '{"error":"Bad request. Required metadata header not specified"}')
    return reply(200, AZURE[path]) if method == "GET" and path in AZURE else reply(404, "")


def gcp(method, path, head):
    mark = "Metadata-Flavor: Google"
    if head.get("metadata-flavor") != "Google":
        return reply(403, "", mark)
    return reply(200, GCP[path], mark) if method == "GET" and path in GCP else reply(404, "", mark)


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline(65536).decode("latin-1").split()
        head = {}
        while True:
            h = self.rfile.readline(65536).decode("latin-1").strip()
            if not h:
                break
            name, _, value = h.partition(":")
            head[name.lower()] = value.strip()
        with open(log_file, "a") as log:
            log.write(" ".join(line[:2]) + "\n")
        try:
            self.answer(line[0], line[1], head)
        except OSError:
            pass  # the other side has had enough

    def answer(self, method, path, head):
        if mode == "slow":
            time.sleep(60)
        if mode == "huge":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nMetadata-Flavor: Google\r\n\r\n")
            for _ in range(2000):
                self.wfile.write(b"x" * 65536)
        elif mode in broken:
            self.wfile.write(broken[mode])
        else:
            self.wfile.write({"aws": aws, "azure": azure, "gcp": gcp}[cloud](method, path, head))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Server(("127.0.0.1", 0), Handler) as server:
    with open(port_file + ".new", "w") as f:
        f.write(str(server.server_address[1]))
    import os
    os.rename(port_file + ".new", port_file)
    server.serve_forever()
