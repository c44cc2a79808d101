// Those that name others too come before them.
const PROGRAMS = ['Firefox', 'Edg', 'Chrome', 'Safari'];
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];

/** Browser and system in what a browser says of itself, such as "Firefox, Windows". */
export function programOf(agent: string): string {
  const program = PROGRAMS.find((name) => agent.includes(name)) ?? '';
  const system = SYSTEMS.find((name) => agent.includes(name)) ?? '';
  return [program.replace('Edg', 'Edge'), system].filter(Boolean).join(', ') || agent || '—';
}
