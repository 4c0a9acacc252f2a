// The icons: strokes on a grid of 16, in the colour of the text around them. They are never the only name of a thing,
// so they are hidden from screen readers.

import { h, type VNode } from 'preact';

const strokes = {
  add: ['M8 3.25v9.5', 'M3.25 8h9.5'],
  history: ['M2.9 6.2A5.5 5.5 0 1 1 2.5 8.6', 'M2.6 3.1v3.3h3.3', 'M8 5.2v3.1l2.1 1.3'],
  send: ['M8 13V3.4', 'M3.9 7.3 8 3.2l4.1 4.1'],
  copy: [
    'M6.3 5.3h5.9a.8.8 0 0 1 .8.8v6.1a.8.8 0 0 1-.8.8H6.3a.8.8 0 0 1-.8-.8V6.1a.8.8 0 0 1 .8-.8Z',
    'M3.4 10.3a.6.6 0 0 1-.4-.6V3.6c0-.4.3-.6.6-.6h6.1c.3 0 .5.1.6.4',
  ],
  insert: ['M3 3.2h10', 'M3 12.8h10', 'M5.4 8h7.4', 'm7.8 5.6-2.4 2.4 2.4 2.4'],
  done: ['m3.3 8.5 3 3 6.4-7'],
  fail: ['m4.2 4.2 7.6 7.6', 'm11.8 4.2-7.6 7.6'],
  chevron: ['m6.2 3.9 4.1 4.1-4.1 4.1'],
  below: ['m4.4 6.4 3.6 3.6 3.6-3.6'],
  above: ['m4.4 9.6 3.6-3.6 3.6 3.6'],
  edit: ['M10.7 3.2 12.8 5.3 5.6 12.5l-2.7.6.6-2.7Z', 'm9.3 4.6 2.1 2.1'],
  file: ['M4 2.8h5l3 3v7.4H4z', 'M9 2.8v3h3'],
  folder: ['M2.6 4.2h4l1.3 1.6h5.5v6.8H2.6z'],
  terminal: ['m3.4 4.6 3.4 3.4-3.4 3.4', 'M8.4 11.6h4.2'],
  play: ['M5 3.6v8.8l7-4.4Z'],
  down: ['M8 3v9.6', 'M3.9 8.7 8 12.8l4.1-4.1'],
  image: ['M3 3.5h10v9H3z', 'm3.2 10.8 3-3 2.6 2.6 1.5-1.4 2.5 2.4', 'M10.4 6.1h.01'],
  warning: ['M8 2.6 14 13H2z', 'M8 6.5v3', 'M8 11.3v.01'],
  info: ['M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Z', 'M8 7.4v3.4', 'M8 5.1v.01'],
  trash: ['M3 4.6h10', 'M6.3 4.4V3h3.4v1.4', 'm4.3 4.8.6 8.2h6.2l.6-8.2'],
  person: ['M8 3a2.4 2.4 0 1 1 0 4.8A2.4 2.4 0 0 1 8 3Z', 'M3.4 13.2c.4-2.6 2.2-3.7 4.6-3.7s4.2 1.1 4.6 3.7'],
  question: [
    'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Z',
    'M6.5 6.6c0-.9.6-1.5 1.5-1.5s1.5.6 1.5 1.4c0 1.1-1.5 1.2-1.5 2.3',
    'M8 10.9v.01',
  ],
  diff: ['M8 2.9v5.2', 'M5.4 5.5h5.2', 'M5.4 12.2h5.2'],
  undo: ['M5.6 3.2 3 5.8l2.6 2.6', 'M3.2 5.8h5.9a3.4 3.4 0 0 1 0 6.8H6.3'],
  redo: ['m10.4 3.2 2.6 2.6-2.6 2.6', 'M12.8 5.8H6.9a3.4 3.4 0 0 0 0 6.8h2.8'],
  retry: ['M12.9 6.1A5.2 5.2 0 1 0 13.2 8.9', 'M13.1 3.2v3.2H9.9'],
  fork: [
    'M5 6v4',
    'M11 6c0 2.2-1.3 2.6-3 3-1.7.3-3 .8-3 1.4',
    'M5 2.9a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
    'M11 2.9a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
    'M5 10.2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
  ],
  hidden: ['M2.6 9.2C5.4 5.9 10.6 5.9 13.4 9.2', 'M8 6.7a2.3 2.3 0 1 0 .01 0', 'M3.2 13 12.8 3.4'],
  lock: ['M4 7.3h8v5.5H4z', 'M5.8 7.1V5.2a2.2 2.2 0 0 1 4.4 0v1.9'],
  circle: ['M8 4.4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2Z'],
  box: ['M3.6 3.4h8.8v9.2H3.6z'],
  boxDone: ['M3.6 3.4h8.8v9.2H3.6z', 'm5.6 8.2 1.8 1.8 3.2-3.9'],
  thread: [
    'M5 5v6',
    'M11 6.6c0 2.6-6 1.2-6 4.2',
    'M5 2.2a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8Z',
    'M5 11a1.4 1.4 0 1 1 0 2.8A1.4 1.4 0 0 1 5 11Z',
    'M11 3.8a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8Z',
  ],
} as const satisfies Record<string, readonly string[]>;

export type IconName = keyof typeof strokes | 'stop';

export function icon(name: IconName): VNode {
  const shapes =
    name === 'stop'
      ? [h('rect', { x: 4.5, y: 4.5, width: 7, height: 7, rx: 1.2, fill: 'currentColor', stroke: 'none' })]
      : strokes[name].map(path => h('path', { d: path }));
  return h('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, shapes);
}
