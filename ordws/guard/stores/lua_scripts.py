"""The Lua scripts of the meters in Redis and Valkey: each is atomic, and writes all or nothing.

The first key is always that of the hash "meters", which exists as long as the meters do. A record is the same string of
bytes as in LMDB, a subject's marks of a day are one hash, and so are those of a game. Time is an argument; the server's
clock only deletes what ended long ago. All keys of a call have the same hash tag, so that each script runs on one node
of a cluster.
"""

from __future__ import annotations

from typing import Final

from ordws.guard.charge import CLASSES, CLOCK_WENT_BACK, FIELDS, OPENING
from ordws.guard.policy import DAY, SHARE_DIVISOR, SHARE_STEPS
from ordws.retention import METERS

EXISTS: Final = "return redis.call('exists', KEYS[1])"

# Arguments: the moment until which everything is refused.
CREATE: Final = """
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('hset', KEYS[1], 'closed', ARGV[1], 'latest', 0)
return 1
"""

_PREAMBLE: Final = """
local meters = redis.call('hmget', KEYS[1], 'closed', 'latest')
if not meters[1] then return redis.error_reply('GONE the meters are not there') end
local closed, latest = tonumber(meters[1]), tonumber(meters[2])
"""

# The arithmetic of `ordws.guard.charge.settle` and of `LmdbMeterStore.apply`, which one contract suite compares. The
# first argument is a charge in MessagePack, in which keys and bytes are numbers of KEYS and ARGV (`redis.py`). Returns,
# in MessagePack, what became of it: {"closed", seconds}, {"once"}, {"needs", seconds}, {"full", number of the amount,
# seconds}, {"reserve", new marks by class} where less was reserved than it needs, or {"ok", new marks by class, counts
# of the records, editions of the marks, -1 for a new one}.
APPLY: Final = f"""{_PREAMBLE}
local charge = cmsgpack.unpack(ARGV[1])
local now, day = charge.now, math.floor(charge.now / {DAY})
if day < latest - 1 then return redis.error_reply('CLOCK {CLOCK_WENT_BACK}') end
if closed > now then return cmsgpack.pack({{'closed', closed - now}}) end
local once = charge.once

local new, editions, writes = {{}}, {{}}, charge.acts
for class = 1, {CLASSES} do new[class] = 0 end
local records = {{}}
for i, ref in ipairs(charge.records) do
  local data, record = redis.call('get', KEYS[ref.key]), nil
  if data then record = {{struct.unpack('<{"I4" * (FIELDS + 2)}', data)}} end
  if ref.closes then
    if not record or record[2] ~= 0 then return cmsgpack.pack({{'needs', 0}}) end
    record[2] = 1
  elseif not record or record[1] <= now or record[2] ~= 0 then
    if ref.needed then return cmsgpack.pack({{'needs', {DAY} - now % {DAY}}}) end
    if ref.opening then new[{OPENING + 1}] = new[{OPENING + 1}] + 1 end
    record = {{ref.ends, 0}}
    for field = 1, {FIELDS} do record[field + 2] = 0 end
  elseif i == 1 and once and redis.call('hexists', KEYS[once[1]], ARGV[once[2]]) == 1 then
    return cmsgpack.pack({{'once'}})
  elseif ref.extends then
    record[1] = math.max(record[1], ref.ends)
  end
  records[i] = record
end

for i, mark in ipairs(charge.marks) do
  local found, edition = redis.call('hget', KEYS[mark.key], ARGV[mark.field]), nil
  if found then edition = struct.unpack('<I4', found) end
  if edition and (edition == mark.edition or not mark.pinned) then
    editions[i] = edition
  else
    editions[i], writes = -1, true
    new[mark.class + 1] = new[mark.class + 1] + 1
  end
end

local function sum(classes)
  local total = 0
  for _, class in ipairs(classes) do total = total + new[class + 1] end
  return total
end
local function count(record, field) return records[record + 1][field + 3] end
for i, amount in ipairs(charge.amounts) do
  if amount.flat ~= 0 then writes = true end
  local added = amount.flat + amount.each * sum(amount.classes)
  local held = added
  if amount.counted then held = sum(amount.counted) end
  local spent, limit = count(amount.record, amount.field), amount.limit
  if held > 0 then
    local share = amount.share
    if share then
      local others = math.max(0, count(share.record, share.field) - spent)
      others = others - others % math.max(1, math.floor(share.whole / {SHARE_STEPS}))
      limit = math.min(limit, math.max(share.least, math.floor((share.whole - others) / {SHARE_DIVISOR})))
    end
    if spent + held > limit then
      return cmsgpack.pack({{'full', i, records[amount.record + 1][1] - now}})
    end
  end
  records[amount.record + 1][amount.field + 3] = math.max(0, spent + added)
end
if charge.reserved then
  for class = 1, {CLASSES} do
    if charge.reserved[class] >= 0 and new[class] > charge.reserved[class] then
      return cmsgpack.pack({{'reserve', new}})
    end
  end
end

if day > latest then redis.call('hset', KEYS[1], 'latest', day) end
local function set(mark, value)
  redis.call('hset', KEYS[mark[1]], ARGV[mark[2]], ARGV[value])
  redis.call('expire', KEYS[mark[1]], mark[3] - now + {METERS.seconds})
end
if once then set(once, once[4]) end
for i, mark in ipairs(charge.marks) do
  if editions[i] == -1 then set({{mark.key, mark.field, mark.ends}}, mark.value) end
end
local counts = {{}}
for i, ref in ipairs(charge.records) do
  local record = records[i]
  counts[i] = {{unpack(record, 3, {FIELDS + 2})}}
  -- A question of words that were all charged before, outside a game, changes nothing.
  if writes then
    redis.call('set', KEYS[ref.key], struct.pack('<{"I4" * (FIELDS + 2)}', unpack(record, 1, {FIELDS + 2})),
      'ex', math.max(1, record[1] - now + {METERS.seconds}))
    for _, index in ipairs(ref.indices) do
      redis.call('sadd', KEYS[index[1]], ARGV[index[2]])
      redis.call('expire', KEYS[index[1]], {2 * DAY + METERS.seconds})
    end
  end
end
return cmsgpack.pack({{'ok', new, counts, editions}})
"""

# Keys: meters, the records. Returns the moment until which everything is refused, and the records.
READ: Final = f"""{_PREAMBLE}
local found = {{closed}}
for k = 2, #KEYS do found[k] = redis.call('get', KEYS[k]) end
return found
"""

# Arguments: the moment until which everything is refused.
REFUSE_UNTIL: Final = f"{_PREAMBLE}redis.call('hset', KEYS[1], 'closed', math.max(ARGV[1], closed))"

# Proves that something can be written.
WRITE: Final = f"{_PREAMBLE}redis.call('hset', KEYS[1], 'latest', latest)"

SCRIPTS: Final = (APPLY, READ, WRITE)
"""The scripts that are loaded into the server; the others run seldom, or for all hash tags."""
