-- Sends the requests of a file, over and over. A line has six fields between tabs: method, path,
-- key, address, body, and "once" when each request needs an Idempotency-Key.

local requests = {}
local sent = 0
local run = tostring(os.time()) .. "-" .. tostring(math.random(1e9))

local function toRequest(line)
  local method, path, key, address, body, once =
    line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$")
  local headers = { ["Authorization"] = "Bearer " .. key, ["X-Forwarded-For"] = address }
  if body == "" then body = nil else headers["Content-Type"] = "application/json" end
  if once ~= "once" then return wrk.format(method, path, headers, body) end
  return function()
    headers["Idempotency-Key"] = run .. "-" .. sent
    return wrk.format(method, path, headers, body)
  end
end

function init(args)
  for line in io.lines(args[1]) do requests[#requests + 1] = toRequest(line) end
end

function request()
  local next = requests[sent % #requests + 1]
  sent = sent + 1
  if type(next) == "function" then return next() end
  return next
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"refused":%d,"failures":%d,"p99Us":%d}\n',
    summary.requests,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(99)
  ))
end
