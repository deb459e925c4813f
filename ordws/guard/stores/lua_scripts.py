"""The Lua scripts of the meters in Redis and Valkey: each is atomic, and writes all or nothing.

A meter and a detector sum are hashes: the amount spent, the end, and the fingerprints or the threshold. A mark is the
moment it ends and, of a word, the edition it was charged under, after a space. The first key is always that of the
meter `closed`, which exists as long as the meters do. Time is an argument; the server's clock only deletes what ended
long ago. All keys of a call have the same hash tag, so that each script runs on one node of a cluster.
"""

from __future__ import annotations

from typing import Final

from ordws.guard.policy import DAY, SHARE_STEPS
from ordws.guard.stores.constants import CLOCK_WENT_BACK, HOUR, LATCHED, RETENTION_SECONDS

EXISTS: Final = "return redis.call('exists', KEYS[1])"

CREATE: Final = """
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('hset', KEYS[1], 'spent', 0, 'ends', 0)
return 1
"""

_PREAMBLE: Final = """
local now, closed = tonumber(ARGV[1]), redis.call('hmget', KEYS[1], 'spent', 'ends')
if not closed[1] then return redis.error_reply('GONE the meters are not there') end
local function stand(key)
  local found = redis.call('hmget', key, 'spent', 'ends')
  local ends = tonumber(found[2] or 0)
  if ends > now then return tonumber(found[1]), ends end
end
"""

_MARKS: Final = """
local function mark_stand(key)
  local ends, edition = string.match(redis.call('get', key) or '', '^(%d+) ?(%d*)$')
  if ends and tonumber(ends) > now then return tonumber(ends), tonumber(edition) or 0 end
end
"""

# Keys: closed, the index of long-kept meters, the meters, the marks. Arguments: now, the number of meters, the index of
# the fingerprint meter, the number of shares; for each meter its limit, its end, the amount, the seconds it is kept
# after its end, and -1, or for a meter that is elsewhere the amount that was reserved there; for each share the indices
# of its meter and of the meter it is a share of, its divisor and its least; for each mark its end, the indices of the
# meters it feeds, its fingerprint, its edition, and whether it is pinned. Fingerprints are in the field "trail", which
# stored meters have had since the first version. Returns 1 and for each mark -1 if it is new, or else its edition; or
# 0, the meter and the share that refuse, and the end; or, where less was reserved than the charge needs, 2 and for each
# meter the amount it needs.
ADMIT: Final = f"""{_PREAMBLE}{_MARKS}
local seen, meters, trails, shares = tonumber(closed[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if now < seen - {DAY} then return redis.error_reply('CLOCK {CLOCK_WENT_BACK}') end
if tonumber(closed[2]) > now then return {{0, 0, 0, tonumber(closed[2])}} end

local at, add, marks, trail = 4 + 5 * meters + 4 * shares, {{}}, {{}}, ''
for m = 1, meters do add[m] = tonumber(ARGV[5 * m + 2]) end
for mark = 1, #KEYS - 2 - meters do
  local of = at + 5 * mark
  local ends, edition = mark_stand(KEYS[2 + meters + mark])
  if ends and not (ARGV[of] == '1' and edition ~= tonumber(ARGV[of - 1])) then
    marks[mark] = edition
  else
    marks[mark] = -1
    trail = trail .. ARGV[of - 2]
    for m in string.gmatch(ARGV[of - 3], '%d+') do add[tonumber(m)] = add[tonumber(m)] + 1 end
  end
end

local spent, ending, over, missing = {{}}, {{}}, nil, false
for m = 1, meters do
  local ends
  local reserved = tonumber(ARGV[5 * m + 4])
  if reserved >= 0 then missing = missing or add[m] > reserved else spent[m], ends = stand(KEYS[2 + m]) end
  ending[m] = ends or tonumber(ARGV[5 * m + 1])
  if add[m] > 0 and (spent[m] or 0) + add[m] > tonumber(ARGV[5 * m]) then
    if not (over and ending[m] <= over[4]) then over = {{0, m, 0, ending[m]}} end
  end
end
for s = 1, shares do
  local of = 4 + 5 * meters + 4 * s
  local m, all, divisor = tonumber(ARGV[of - 3]), tonumber(ARGV[of - 2]), tonumber(ARGV[of - 1])
  local mine = spent[m] or 0
  local others, whole = math.max(0, (spent[all] or 0) - mine), tonumber(ARGV[5 * all])
  if divisor > 1 then others = others - others % math.max(1, math.floor(whole / {SHARE_STEPS})) end
  local limit = math.max(tonumber(ARGV[of]), math.floor((whole - others) / divisor))
  if add[m] > 0 and mine + add[m] > limit then
    if not (over and ending[all] <= over[4]) then over = {{0, 0, s, ending[all]}} end
  end
end
if over then return over end
if missing then return {{2, unpack(add)}} end

if now >= seen + {HOUR} then redis.call('hset', KEYS[1], 'spent', now) end
for mark, before in ipairs(marks) do
  if before == -1 then
    local of = at + 5 * mark
    local ends, edition = ARGV[of - 4], ARGV[of - 1]
    local value = edition == '0' and ends or ends .. ' ' .. edition
    redis.call('set', KEYS[2 + meters + mark], value, 'ex', ends - now + {RETENTION_SECONDS})
  end
end
for m = 1, meters do
  local key, ends, kept = KEYS[2 + m], ARGV[5 * m + 1], tonumber(ARGV[5 * m + 3])
  if ARGV[5 * m + 4] == '-1' then
    if not spent[m] then
      redis.call('del', key)
      redis.call('hset', key, 'spent', add[m], 'ends', ends)
      redis.call('expire', key, ends - now + kept)
      if kept > {RETENTION_SECONDS} then redis.call('zadd', KEYS[2], 0, key) end
    elseif add[m] ~= 0 then
      redis.call('hincrby', key, 'spent', add[m])
    end
    if m == trails then redis.call('hset', key, 'trail', (redis.call('hget', key, 'trail') or '') .. trail) end
  end
end
return {{1, unpack(marks)}}
"""

# Keys: closed, the meters. Arguments: now, for each meter the amount.
SETTLE: Final = f"""{_PREAMBLE}
for m = 2, #KEYS do
  local spent = stand(KEYS[m])
  if spent then redis.call('hset', KEYS[m], 'spent', math.max(0, spent + ARGV[m])) end
end
"""

# Keys: closed, the set of those in alarm, the detector sums. Arguments: now; for each sum the amount, its threshold,
# its end, and the end of its alarm.
UPDATE_DETECTORS: Final = f"""{_PREAMBLE}
local risen = {{}}
for s = 1, #KEYS - 2 do
  local key, by, alarm = KEYS[2 + s], tonumber(ARGV[4 * s - 2]), tonumber(ARGV[4 * s - 1])
  local before, ends = stand(key)
  ends = ends or tonumber(ARGV[4 * s])
  local spent = (before or 0) >= alarm and {LATCHED} or math.max(0, (before or 0) + by)
  if spent >= alarm and spent < {LATCHED} then ends = tonumber(ARGV[4 * s + 1]) end
  redis.call('hset', key, 'spent', spent, 'ends', ends, 'alarm', alarm)
  redis.call('expire', key, ends - now + {RETENTION_SECONDS})
  if spent >= alarm then redis.call('sadd', KEYS[2], key) end
  if spent >= alarm and spent < {LATCHED} then table.insert(risen, s) end
end
return risen
"""

# Keys: closed, the set of those in alarm. Arguments: now.
ACTIVE_ALARMS: Final = f"""{_PREAMBLE}
local found = {{}}
for _, key in ipairs(redis.call('smembers', KEYS[2])) do
  local spent, ends = stand(key)
  if not ends then
    redis.call('srem', KEYS[2], key)
  elseif spent >= tonumber(redis.call('hget', key, 'alarm')) then
    table.insert(found, key)
  end
end
return found
"""

# Keys: closed, the meters. Arguments: now. Returns the moment until which all is closed, then of each meter the amount
# spent and its end, both 0 if it is not running.
READ: Final = f"""{_PREAMBLE}
local found = {{tonumber(closed[2])}}
for m = 2, #KEYS do
  local spent, ends = stand(KEYS[m])
  table.insert(found, spent or 0)
  table.insert(found, ends or 0)
end
return found
"""

# Keys: closed, the mark. Arguments: now.
FIND_MARK_END: Final = f"""{_PREAMBLE}{_MARKS}
return (mark_stand(KEYS[2]))
"""

# Keys: closed. Arguments: the moment until which everything is refused.
REFUSE_UNTIL: Final = f"{_PREAMBLE}redis.call('hset', KEYS[1], 'ends', math.max(now, tonumber(closed[2])))"

# Keys: closed, the set of those in alarm, the detector sums. Arguments: now.
RESET_DETECTORS: Final = f"""{_PREAMBLE}
for s = 3, #KEYS do
  redis.call('del', KEYS[s])
  redis.call('srem', KEYS[2], KEYS[s])
end
"""

SCRIPTS: Final = (RESET_DETECTORS, ADMIT, SETTLE, UPDATE_DETECTORS, READ, FIND_MARK_END)
"""The scripts that are loaded into the server; the others run seldom, or for all hash tags."""
