// One changed stretch between two texts, with a few lines around it. Promises: linear, so that it may run while
// drawing; it is a first look and not the smallest difference, which the diff editor shows.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const around = 3;
const most = 400;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const lines = [
    ...old.slice(Math.max(0, head - around), head).map(text => ({ kind: 'same', text }) as const),
    ...old.slice(head, old.length - tail).map(text => ({ kind: 'removed', text }) as const),
    ...now.slice(head, now.length - tail).map(text => ({ kind: 'added', text }) as const),
    ...now.slice(now.length - tail, now.length - tail + around).map(text => ({ kind: 'same', text }) as const),
  ];
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), { kind: 'same', text: `… ${lines.length - most} more lines` }];
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
