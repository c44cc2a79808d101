// Programs that also name others come first.
const PROGRAMS = ['Firefox', 'Edg', 'Chrome', 'Safari'];
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];

/** Browser and system of a user agent, such as "Firefox, Windows". */
export function programOf(agent: string): string {
  const program = PROGRAMS.find((name) => agent.includes(name)) ?? '';
  const system = SYSTEMS.find((name) => agent.includes(name)) ?? '';
  return [program.replace('Edg', 'Edge'), system].filter(Boolean).join(', ') || agent || '—';
}
