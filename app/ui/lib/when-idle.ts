const AT_LATEST_MS = 1000;

/**
 * Runs a task after load when the browser is idle, or after one second: Chromium may never call an idle callback on a
 * page that no longer paints. Browser only.
 * @returns a function that cancels the task
 */
export function whenIdle(task: () => void): () => void {
  let isWanted = true;
  const run = () => isWanted && task();
  const wait = () => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: AT_LATEST_MS });
    else setTimeout(run, AT_LATEST_MS);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
  return () => {
    isWanted = false;
  };
}
