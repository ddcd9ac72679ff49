const AT_LATEST_MS = 1000;

/**
 * Runs a task once the page has loaded and the browser has nothing better to do, or a second later: Chromium may call no
 * idle callback on a page that draws nothing more (one page in twelve of a test that asked). Browser only.
 * @returns cancels it
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
