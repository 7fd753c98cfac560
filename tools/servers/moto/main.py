"""moto's own server, with two things made as DynamoDB has them.

Requests are carried out one after another: by itself moto looks whether a condition holds and writes the row in two
steps, and other requests run in between, so that of two conditional puts of one row at once both may succeed.

A query looks at its own partition: by itself moto sorts all rows of the table each time, so that every query grows with
what all the others have written.
"""

import io
import sys
from threading import Lock

from moto.dynamodb.models.table import Table
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import run_simple

moto = DomainDispatcherApplication(create_backend_app)
turn = Lock()


def one_after_another(environ, start_response):
    # Whoever sends slowly, or stops in the middle, must not keep the others waiting.
    size = int(environ.get("CONTENT_LENGTH") or 0)
    environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(size))
    with turn:
        return list(moto(environ, start_response))


query_all = Table.query


def query(table, hash_key, *conditions, **others):
    if table.all_indexes():
        return query_all(table, hash_key, *conditions, **others)
    whole = table.items
    table.items = {hash_key: whole[hash_key]} if hash_key in whole else {}
    try:
        return query_all(table, hash_key, *conditions, **others)
    finally:
        table.items = whole


Table.query = query

# Requests wait for each other anyway; to change between threads in the midst of one costs a busy machine as much again.
sys.setswitchinterval(1)

host, port = sys.argv[1:]
run_simple(host, int(port), one_after_another, threaded=True, request_handler=MotoRequestHandler)
