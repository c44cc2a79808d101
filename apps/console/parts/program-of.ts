const PROGRAMS = ['Firefox', 'Edg', 'Chrome', 'Safari'];

/** Browser and system in what a browser says of itself, such as "Firefox, Windows". */
export function programOf(agent: string): string {
  const program = PROGRAMS.find((name) => agent.includes(name)) ?? '';
  const [system = ''] = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent) ?? [];
  return [program.replace('Edg', 'Edge'), system].filter(Boolean).join(', ') || agent || '—';
}
