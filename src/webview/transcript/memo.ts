// Leaves a part alone while its props are the same values. Promises: the part's own state and signals still redraw
// it, because the gate is a component of its own around it.

import { Component, h, type ComponentChild, type FunctionComponent } from 'preact';

export function memo<Props extends object>(part: FunctionComponent<Props>) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return differs(this.props, next);
    }
    override render(): ComponentChild {
      return h(part, this.props);
    }
  };
}

function differs(before: object, after: object): boolean {
  const old = before as { readonly [key: string]: unknown };
  const now = after as { readonly [key: string]: unknown };
  for (const key in now) if (old[key] !== now[key]) return true;
  for (const key in old) if (!(key in now)) return true;
  return false;
}
