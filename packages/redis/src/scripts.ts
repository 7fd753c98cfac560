import { HELD_MARK } from '@sessions/core/store';
import { script } from './run-script.ts';

/** How long a change is known by its id, in milliseconds, if no call may take longer: well beyond a client's resending. */
export const CHANGES_KEPT_MS = 15 * 60 * 1_000;

/** The version of a history without a version key, which is an empty one. */
const EMPTY = '0';

/** `KEYS`: items, version, operations. `ARGV`: first index, time to live in milliseconds or 0. */
export const READ = script(`
if ARGV[2] ~= '0' then
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
end
return {redis.call('LRANGE', KEYS[1], ARGV[1], -1), redis.call('GET', KEYS[2]) or '${EMPTY}'}
`);

/** What the script answers to an append that needed no options: an integer is read faster than a list. */
export const APPENDED = 1;

/** What a change is beside what it adds; a plain append is none of it. */
export interface CommitOptions {
  readonly drop: number | 'all';
  readonly ifVersion?: string | undefined;
  readonly operation?: { readonly id: string; readonly digest: string } | undefined;
  readonly clear?: true | undefined;
  /** Milliseconds that the caller waits, and so may have to be told again what it popped. */
  readonly patienceMs: number;
  /** Makes sure that the user may run what the script runs. */
  readonly checkAccess?: true | undefined;
}

/**
 * One change, whole (see `HistoryStore.commit` for what is looked at). Whatever can fail is done or asked before anything
 * is written, so that a script never stops half way: keys of the wrong type, commands that the user may not run.
 *
 * A change is known by a key of its own, which expires. One that changes nothing is remembered too: a copy of it that
 * arrives late must go on changing nothing.
 *
 * A pop's record has to be given again if the reply was lost and the command is resent, yet must not be left in the
 * store (CLR-3). So it is kept for as long as its caller may wait, under a one-time pad that only the caller has. A
 * record longer than the pad is not taken: the caller reads it first and drops it by its version.
 *
 * `KEYS`: items, version, operations, change, and for a pop: popped.
 * `ARGV`: change id, time to live in milliseconds or nothing, options as JSON or nothing; then for a pop the pad, else
 * the records.
 */
export const COMMIT = script(`
local items, current, operations, change, popped = unpack(KEYS)
local id, ttl = ARGV[1], ARGV[2]
local kept = ${CHANGES_KEPT_MS}
local FIRST = 4

-- The commonest change by far, an append to what is there, needs little of what follows. A longer one does not fit on
-- the stack.
if ARGV[3] == '' and #ARGV < 1000 and redis.call('LLEN', items) > 0 then
  if not redis.call('SET', change, '', 'PX', kept, 'NX') then return ${APPENDED} end
  local set
  if ttl == '' then
    set = redis.pcall('SET', current, id, 'KEEPTTL', 'GET')
  else
    set = redis.pcall('SET', current, id, 'PX', ttl, 'GET')
  end
  if type(set) == 'table' and set.err then
    redis.call('UNLINK', change)
    return set
  end
  redis.call('RPUSH', items, unpack(ARGV, FIRST))
  if ttl ~= '' then
    redis.call('PEXPIRE', items, ttl)
    redis.call('PEXPIRE', operations, ttl)
  end
  return ${APPENDED}
end

local drop, ifVersion, operation, clear, patience = 0
local added = popped and 0 or #ARGV - FIRST + 1

if ARGV[3] ~= '' then
  local options = cjson.decode(ARGV[3])
  kept = math.max(kept, options.patienceMs)
  drop, ifVersion, operation, clear = options.drop, options.ifVersion, options.operation, options.clear
  patience = options.patienceMs
  -- Redis 7 and Valkey can tell beforehand what the user may not do.
  if options.checkAccess and redis.acl_check_cmd then
    local needed = {
      {'SET', change, ''}, {'PEXPIRE', items, 1}, {'UNLINK', items}, {'LTRIM', items, 0, 0}, {'RPUSH', items, ''},
      {'HSET', operations, '', ''},
    }
    for _, command in ipairs(needed) do
      if not redis.acl_check_cmd(unpack(command)) then
        return redis.error_reply('NOPERM the user may not run ' .. command[1])
      end
    end
  end
end

local length = redis.call('LLEN', items)
local empties = length == 0 or drop == 'all' or (drop > 0 and drop >= length)
-- The parts that are not there say nothing; of an emptied history the version, or the operations, keep the expiry. A
-- first operation comes to a history that may have one.
local found, left = nil, tonumber(ttl)
if ifVersion or empties then found = redis.call('GET', current) or '${EMPTY}' end
if not left and (empties or operation) then
  for _, key in ipairs({items, current, operations}) do
    if not left or left == -2 then left = redis.call('PTTL', key) end
  end
end
local known = operation and redis.call('HGET', operations, operation.id)
local record = popped and redis.call('LINDEX', items, -1)
local again = popped and redis.call('GET', popped)

local veil
if popped then
  local pad = ARGV[FIRST]
  veil = function(text)
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
end

if not redis.call('SET', change, '', 'PX', kept, 'NX') then
  if again == 'nothing' then return {'done'} end
  if again then return {'done', veil(again)} end
  return {popped and 'lost' or 'done'}
end

local refusal
if known then
  refusal = known == operation.digest and 'done' or 'OPERATION_CONFLICT'
elseif ifVersion and ifVersion ~= found then
  refusal = 'CONFLICT'
elseif record and string.sub(record, 1, 1) == '${HELD_MARK}' then
  refusal = 'UNREADABLE_ITEM'
elseif record and #record > #ARGV[FIRST] then
  refusal = 'long'
end
if refusal then
  redis.call('UNLINK', change)
  return {refusal}
end

if (drop == 0 or length == 0) and added == 0 and not operation and not clear then
  if popped then redis.call('SET', popped, 'nothing', 'PX', patience) end
  return {'done'}
end

-- First of all, since it alone can still meet a key of the wrong type, which its GET finds.
local expires = left and left > 0 and not clear
local set
if expires then
  set = redis.pcall('SET', current, id, 'PX', left, 'GET')
elseif added > 0 or not empties then
  set = redis.pcall('SET', current, id, 'KEEPTTL', 'GET')
else
  redis.call('UNLINK', current)
end
if type(set) == 'table' and set.err then
  redis.call('UNLINK', change)
  return set
end

if popped then redis.call('SET', popped, veil(record), 'PX', patience) end
if drop == 'all' then
  redis.call('UNLINK', items)
elseif drop > 0 then
  redis.call('LTRIM', items, 0, -1 - drop)
end
for at = FIRST, FIRST + added - 1, 1000 do
  redis.call('RPUSH', items, unpack(ARGV, at, math.min(at + 999, #ARGV)))
end
if operation then redis.call('HSET', operations, operation.id, operation.digest) end
if clear then redis.call('UNLINK', operations) end
if expires then
  redis.call('PEXPIRE', items, left)
  redis.call('PEXPIRE', operations, left)
end
return {'done', record or nil}
`);
