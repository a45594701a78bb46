-- Tell the gateways that follow a stream that there is something new to read. The channel has the tag
-- of the keys, so that in a cluster only the servers of that shard carry the hint.
local function hint(stream)
  redis.call('SPUBLISH', string.match(KEYS[1], '^{%d+}:') .. 'hints', stream)
end
