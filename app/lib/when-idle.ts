/** Runs a task once the page has loaded and the browser has nothing better to do. Browser only. @returns cancels it */
export function whenIdle(task: () => void): () => void {
  let cancel = () => window.removeEventListener('load', wait);
  function wait() {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) {
      const handle = requestIdleCallback(task);
      cancel = () => cancelIdleCallback(handle);
    } else {
      const handle = setTimeout(task, 1000);
      cancel = () => clearTimeout(handle);
    }
  }
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
  return () => cancel();
}
