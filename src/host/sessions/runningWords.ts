// What the status bar says of what runs. Pure.

export interface RunningWords {
  readonly icon: 'bell-dot' | 'loading~spin';
  readonly text: string;
  /** For a screen reader and the tooltip, which see no icon. */
  readonly spoken: string;
}

export function runningWords(running: number, needing: number): RunningWords {
  const runs = running > 0 ? `${running} running` : '';
  const needs = needing > 0 ? `${needing} ${needing === 1 ? 'needs' : 'need'} you` : '';
  const icon = needing > 0 ? 'bell-dot' : 'loading~spin';
  const spoken = [
    needing > 0 ? `${needing} ${needing === 1 ? 'session needs' : 'sessions need'} you` : '',
    running > 0 ? `${running} ${running === 1 ? 'session is' : 'sessions are'} being answered` : '',
  ];
  return { icon, text: [needs, runs].filter(Boolean).join(' · '), spoken: spoken.filter(Boolean).join(', ') };
}
