// When to draw. Promises: a request is answered once, with the next frame, or after a quarter of a second where the
// page is hidden and no frames come. What to draw is left to others.

const longestWait = 250;

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
