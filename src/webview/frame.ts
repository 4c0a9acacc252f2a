// When to draw. Promises: a request is answered once, with a frame, or after a quarter of a second where the page is hidden
// and no frames come. What streams is drawn in pace: it takes a quarter of the thread at most, however much one drawing
// costs here, and never the frame of a letter that was just typed. What to draw is left to others.

const longestWait = 250;
/** Between two drawings, for each millisecond that the last one took. */
const rest = 3;
const oneFrame = 17;

export function nextFrame(draw: () => void): void {
  let drawn = false;
  const once = () => {
    if (drawn) return;
    drawn = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    draw();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, longestWait);
}

export interface PaceOf {
  readonly now: () => number;
  readonly frame: (then: () => void) => void;
  readonly after: (milliseconds: number, then: () => void) => void;
  /** When the frame is painted. */
  readonly painted: (then: () => void) => void;
  /** Calls back at each key that is pressed. */
  readonly onKey: (listener: () => void) => void;
}

export function createPace({ now, frame, after, painted, onKey }: PaceOf): (draw: () => void) => void {
  let freeFrom = 0;
  let lastKey = -Infinity;
  onKey(() => (lastKey = now()));
  return draw => {
    const go = () => {
      const began = now();
      draw();
      painted(() => {
        const took = now() - began;
        freeFrom = now() + Math.min(longestWait, rest * took);
      });
    };
    const inFrame = () =>
      frame(() => {
        // The letter first, and then what streams.
        if (now() - lastKey < oneFrame) frame(go);
        else go();
      });
    const wait = freeFrom - now();
    if (wait > 0) after(wait, inFrame);
    else inFrame();
  };
}

/** Of this page. */
export function paceOfPage(): (draw: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  let waiting: (() => void)[] = [];
  port1.addEventListener('message', () => {
    const told = waiting;
    waiting = [];
    for (const then of told) then();
  });
  port1.start();
  return createPace({
    now: () => performance.now(),
    frame: nextFrame,
    after: (milliseconds, then) => void setTimeout(then, milliseconds),
    painted(then) {
      waiting.push(then);
      // The parts are drawn and laid out before the next task.
      port2.postMessage(null);
    },
    onKey: listener => addEventListener('keydown', listener, { capture: true, passive: true }),
  });
}
