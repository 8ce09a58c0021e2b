"""A cluster of several nodes on this machine, on loopback, that loses nodes when it is told to.

Lines on stdin: `add`, `kill` (a node that is not the head, without a word of farewell), `version TEXT` (the
Python that the cluster says it was begun with). Every line is answered with a line.
"""

import json
import os
import sys

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

from ray.cluster_utils import Cluster

options = json.loads(sys.argv[1])
head = {"include_dashboard": False, "node_ip_address": "127.0.0.1", **options}
cluster = Cluster(initialize_head=True, head_node_args=head)
print(cluster.address, flush=True)
others = []
for line in sys.stdin:
    command, _, text = line.strip().partition(" ")
    if command == "add":
        others.append(cluster.add_node(node_ip_address="127.0.0.1", **options))
    elif command == "kill" and others:
        cluster.remove_node(others.pop(), allow_graceful=False)
    elif command == "version":
        client = cluster.head_node.get_gcs_client()
        known = json.loads(client.internal_kv_get(b"CLUSTER_METADATA", b"cluster"))
        known["python_version"] = text
        client.internal_kv_put(b"CLUSTER_METADATA", json.dumps(known).encode(), True, b"cluster")
    print(command, flush=True)
cluster.shutdown()
