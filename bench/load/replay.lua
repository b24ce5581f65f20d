-- Sends the requests of a file, one after the other and then again from the first.
-- A line has, between tabs: method, path, key, address, body, and "once" for an idempotency key.

local requests = {}
local at = 0
local run = tostring(os.time()) .. "-" .. tostring(math.random(1e9))

local function toRequest(line)
  local method, path, key, address, body, once =
    line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$")
  local headers = { ["Authorization"] = "Bearer " .. key, ["X-Forwarded-For"] = address }
  if body == "" then body = nil else headers["Content-Type"] = "application/json" end
  if once ~= "once" then return wrk.format(method, path, headers, body) end
  return function()
    headers["Idempotency-Key"] = run .. "-" .. at
    return wrk.format(method, path, headers, body)
  end
end

-- Given the file and how many requests of it were sent before.
function init(args)
  math.randomseed(os.time())
  for line in io.lines(args[1]) do requests[#requests + 1] = toRequest(line) end
  at = tonumber(args[2])
end

function request()
  at = at + 1
  local next = requests[(at - 1) % #requests + 1]
  if type(next) == "function" then return next() end
  return next
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"refused":%d,"failures":%d,"seconds":%f,"p50Us":%d,"p99Us":%d}\n',
    summary.requests,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6,
    latency:percentile(50),
    latency:percentile(99)
  ))
end
