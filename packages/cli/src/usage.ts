import { readFileSync } from 'node:fs';

export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export const USAGE = `usage: sessions COMMAND URL ID [options]

Shows and moves the items of a stored session.

  show URL ID             the items: to be read on a terminal, JSON in a pipe
    --limit N             only the newest N
    --no-pager            all at once
  export URL ID           the items as JSON Lines, exactly
  import URL ID [FILE]    adds what export wrote, or JSON Lines of others; from stdin without FILE
    --append              also to a session that holds items
  count URL ID            how many items there are
  clear URL ID            deletes all items, when you say yes
    --yes                 without asking
  copy URL ID URL [ID]    to another store or id, which must be empty; compares item by item

URL   redis://[user:password@]host[:port][/db]   rediss://…
      mongodb://host[:port]/database             mongodb+srv://…
      dynamodb://table?region=…&endpoint=…       credentials from the environment
      In the query, the adapter's options by their names: prefix, collectionName, databaseName, partitionKey,
      sortKey, ttlAttribute, ttlSeconds. The driver gets the rest.
ID    the session's id. After -- it may begin with a dash.

  --timeout SECONDS       the longest that a call to the store may take; 10 by default
  --help, --version

Exit code: 0 done, 1 not done, 2 wrong usage, 130 interrupted.`;
