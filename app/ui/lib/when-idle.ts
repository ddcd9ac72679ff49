const TIMEOUT_MS = 1000;

/**
 * Runs a task when the page has loaded and the browser is idle, at the latest after one second. Without this limit,
 * Chromium may never call the idle callback on a page that no longer paints. Browser only.
 * @returns a function that cancels the task
 */
export function whenIdle(task: () => void): () => void {
  let isActive = true;
  const run = () => isActive && task();
  const wait = () => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: TIMEOUT_MS });
    else setTimeout(run, TIMEOUT_MS);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
  return () => {
    isActive = false;
  };
}
