-- Decides the requests that take.lua does not count itself: those that begin a window, are refused, or have a
-- penalty. It changes both windows and the penalty of a key in one step.
-- The rules are those of domain/rate-limit.ts and domain/ban.ts, written again because they must run where the counts
-- are; one test suite checks both. take.lua describes the parameters and the report. The functions that this file uses
-- are in windows.lua, which counts.ts puts in front of it.

local LATE_MS = 500

-- Reads a saved penalty, a Penalty of domain/ban.ts. One that is damaged, or older than the last unban of the key,
-- counts as none.
local function read_penalty(text, unbanned_at_ms)
  local penalty = {
    refusedUntilSeconds = 0, firstRefusedAtSeconds = 0, refusals = 0, strikes = {},
    bannedUntilSeconds = 0, bans = 0, unbannedAtMs = unbanned_at_ms,
  }
  if not text then return penalty end
  local _, last = pcall(cjson.decode, text)
  if type(last) ~= 'table' or last.unbannedAtMs ~= unbanned_at_ms then return penalty end
  for name, none in pairs(penalty) do
    if type(none) == 'number' then penalty[name] = count(last[name]) or none end
  end
  for _, at in ipairs(type(last.strikes) == 'table' and last.strikes or {}) do
    table.insert(penalty.strikes, count(at))
  end
  return penalty
end

-- Adds a refusal to a penalty. Returns true if a ban began.
local function punish(penalty, reset, now)
  if penalty.refusedUntilSeconds ~= reset then
    penalty.refusedUntilSeconds, penalty.firstRefusedAtSeconds, penalty.refusals = reset, now, 1
    return false
  end
  penalty.refusals = penalty.refusals + 1
  local is_learning = now - penalty.firstRefusedAtSeconds <= RULES.learningSeconds
  if is_learning or penalty.refusals <= RULES.mostInFlight then return false end
  local strikes = {}
  for _, at in ipairs(penalty.strikes) do
    if now - at < RULES.strikeMemorySeconds then table.insert(strikes, at) end
  end
  table.insert(strikes, now)
  penalty.strikes = strikes
  if #strikes < RULES.strikesToBan then return false end
  penalty.strikes = {}
  local is_clean = now >= penalty.bannedUntilSeconds + RULES.cleanSeconds
  penalty.bans = is_clean and 1 or penalty.bans + 1
  local seconds = RULES.firstBanSeconds * 2 ^ (penalty.bans - 1)
  penalty.bannedUntilSeconds = now + math.min(seconds, RULES.longestBanSeconds)
  return true
end

local function decide(name, saved, redis_us, now_ms, minute_start, per_minute, per_day, penalty_field, sent_at_ms,
  unbanned_at_ms)
  local now = math.floor(now_ms / 1000)
  saved = checked(name, saved)
  local minute = window_start(now, count(saved[1]) or 0, MINUTE, minute_start % MINUTE)
  local day = window_start(now, count(saved[3]) or 0, DAY, 0)
  local minute_used, day_used = used_in(minute, saved[1], saved[2]), used_in(day, saved[3], saved[4])
  local created_at = count(saved[5]) or redis_us
  local is_new = tonumber(saved[1]) ~= minute or tonumber(saved[3]) ~= day
  -- Saves new windows for a refusal too: a window that was dropped because the clock stepped must not return when the
  -- clock steps back.
  local function report(...)
    if is_new then
      redis.call('HSET', name, 'minute_start', minute, 'minute_used', minute_used,
        'day_start', day, 'day_used', day_used, 'created_at', created_at)
      keep(name, day, now)
    end
    return { now_ms, minute_used, day_used, created_at, minute, day, ... }
  end

  local penalty = read_penalty(saved[6], unbanned_at_ms)
  if penalty.bannedUntilSeconds * 1000 > now_ms then return report(penalty.bannedUntilSeconds) end

  local is_minute_full, is_day_full = minute_used >= per_minute, day_used >= per_day
  if not is_minute_full and not is_day_full then
    minute_used, day_used = minute_used + 1, day_used + 1
    redis.call('HSET', name, 'minute_used', minute_used, 'day_used', day_used)
    return report()
  end

  local minute_reset, day_reset = minute + MINUTE, day + DAY
  local is_by_day = is_day_full and (not is_minute_full or day_reset >= minute_reset)

  -- An instance may have refused this late request on its own, and the client may already be waiting as Retry-After
  -- says. The refusal must not count against the key a second time. An address has no penalty.
  if penalty_field == 'penalty:' or now_ms - sent_at_ms > LATE_MS then return report(0) end

  local ban_began = punish(penalty, is_by_day and day_reset or minute_reset, now)
  redis.call('HSET', name, penalty_field, cjson.encode(penalty))
  keep(name, day, now)
  if ban_began then return report(penalty.bannedUntilSeconds, 1) end
  return report(0)
end

return decide
