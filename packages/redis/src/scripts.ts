import { script } from './run-script.ts';

/** How many of a session's latest changes are known by their ids. */
const CHANGES_KEPT = 1_000;

/** How long they are known after the last of them, in milliseconds: far longer than a client keeps on resending. */
const CHANGES_KEPT_MS = 15 * 60 * 1_000;

/** The version of a history without a version key, which is an empty one. */
const EMPTY = '0';

/** As `ifVersion`: for whichever version there is. */
export const ANY_VERSION = '*';

/** `KEYS`: items, version, operations. `ARGV`: first index, time to live in milliseconds or 0. */
export const READ = script(`
if ARGV[2] ~= '0' then
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
end
return {redis.call('LRANGE', KEYS[1], ARGV[1], -1), redis.call('GET', KEYS[2]) or '${EMPTY}'}
`);

/**
 * One change, whole (see `HistoryStore.commit` for the order of the checks). Every command that can meet a key of the
 * wrong type reads before the first one writes, so that a script never stops half way.
 *
 * A pop's record has to be given again if the reply was lost and the command is resent, yet must not be left in the
 * store (CLR-3). So it is kept for as long as its caller may wait, under a one-time pad that only the caller has. A
 * record longer than the pad is not taken: the caller reads it first and drops it by its version.
 *
 * `KEYS`: items, version, operations, changes, popped.
 * `ARGV`: change id, drop, version, operation id, digest, clear, time to live, pad, patience, then the records.
 */
export const COMMIT = script(`
local items, current, operations, changes, popped = unpack(KEYS)
local id, drop, version, operation, digest, clear, ttl, pad, patience = unpack(ARGV, 1, 9)
local FIRST = 10

local function veil(text)
  local out, whole = {}, #text - #text % 16
  for at = 1, whole, 16 do
    local a, b, c, d = struct.unpack('>I4I4I4I4', text, at)
    local w, x, y, z = struct.unpack('>I4I4I4I4', pad, at)
    out[#out + 1] = struct.pack('>I4I4I4I4', bit.bxor(a, w), bit.bxor(b, x), bit.bxor(c, y), bit.bxor(d, z))
  end
  for at = whole + 1, #text do
    out[#out + 1] = string.char(bit.bxor(string.byte(text, at), string.byte(pad, at)))
  end
  return table.concat(out)
end

if redis.call('ZSCORE', changes, id) then
  local veiled = pad ~= '' and redis.call('GET', popped)
  if veiled then return {'done', veil(veiled)} end
  return {pad == '' and 'done' or 'lost'}
end

if operation ~= '' then
  local known = redis.call('HGET', operations, operation)
  if known then return {known == digest and 'done' or 'OPERATION_CONFLICT'} end
end

local found = redis.call('GET', current) or '${EMPTY}'
if version ~= '${ANY_VERSION}' and version ~= found then return {'CONFLICT'} end

local length = redis.call('LLEN', items)
local record
if pad ~= '' then
  record = redis.call('LINDEX', items, -1)
  if not record then return {'done'} end
  if string.sub(record, 1, 1) == '~' then return {'UNREADABLE_ITEM'} end
  if #record > #pad then return {'long'} end
end

local nothing = (drop == '0' or length == 0) and #ARGV < FIRST and operation == ''
if nothing and not (clear == '1' and redis.call('EXISTS', operations) == 1) then return {'done'} end

-- Before the list is emptied, which would end its expiry.
local left = tonumber(ttl)
if left == 0 then
  left = redis.call('PTTL', items)
  if left == -2 then left = redis.call('PTTL', operations) end
end

if drop == 'all' then
  redis.call('UNLINK', items)
elseif drop ~= '0' then
  redis.call('LTRIM', items, 0, -1 - drop)
end
if clear == '1' then redis.call('UNLINK', operations) end
if record then redis.call('SET', popped, veil(record), 'PX', patience) end
for at = FIRST, #ARGV, 1000 do
  redis.call('RPUSH', items, unpack(ARGV, at, math.min(at + 999, #ARGV)))
end
if operation ~= '' then redis.call('HSET', operations, operation, digest) end

local newest = redis.call('ZRANGE', changes, -1, -1, 'WITHSCORES')
redis.call('ZADD', changes, (newest[2] or 0) + 1, id)
redis.call('ZREMRANGEBYRANK', changes, 0, -1 - ${CHANGES_KEPT})
redis.call('PEXPIRE', changes, ${CHANGES_KEPT_MS})

if redis.call('EXISTS', items) == 1 then
  redis.call('SET', current, id)
else
  redis.call('DEL', current)
end
for _, key in ipairs({items, current, operations}) do
  if left > 0 then redis.call('PEXPIRE', key, left) end
end
return {'done', record}
`);
