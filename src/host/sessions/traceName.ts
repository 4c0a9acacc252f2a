// What a subagent's label says to a person: `subagent:<name>:<run>`, as agents write it. Pure.

export function traceName(label: string): string {
  const [, name = '', run = ''] = label.split(':');
  return ['Subagent', name, run].filter(Boolean).join(' ');
}
