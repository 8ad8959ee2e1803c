/** A command that asks the proxy of the sandbox for hosts, all at once, and says what it answers. */
export function reaching(...hosts: readonly string[]): string {
  const reach =
    'reach() { exec 3<>/dev/tcp/127.0.0.1/$1; printf "CONNECT $2:443 HTTP/1.1\\r\\nHost: $2:443\\r\\n\\r\\n" >&3; head -1 <&3; }'
  return `${reach}; ${hosts.map((host) => `reach "\${HTTP_PROXY##*:}" ${host} &`).join(' ')} wait`
}
