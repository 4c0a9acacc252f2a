// How full the agent's context is, where the agent tells it: a quiet ring.

import { usePanel } from '../panel.ts';
import { contextWords } from './contextWords.ts';

export function ContextMeter() {
  const context = usePanel().store.part('context').value ?? null;
  if (!context || context.size <= 0) return null;
  const { used, size } = context;
  const words = contextWords(used, size);
  const share = Math.min(100, (used / size) * 100);
  return (
    <span
      class={share >= 80 ? 'meter high' : 'meter'}
      role="meter"
      aria-label="Context used"
      aria-valuemin={0}
      aria-valuemax={size}
      aria-valuenow={Math.min(used, size)}
      aria-valuetext={words}
      title={words}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="8" cy="8" r="5.5" />
        <circle class="used" cx="8" cy="8" r="5.5" pathLength="100" stroke-dasharray={`${share} 100`} />
      </svg>
    </span>
  );
}
