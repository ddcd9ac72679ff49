/** A fake Turnstile widget. It is a frame on the provider's host with a button for each outcome. */
import type { FrameLocator, Page } from '@playwright/test';

const HOST = 'https://challenges.cloudflare.com';

const SCRIPT = `(() => {
  const cleanups = [];
  window.turnstile = {
    render(container, options) {
      const frame = document.createElement('iframe');
      frame.title = 'Captcha';
      [frame.width, frame.height] = options.size === 'compact' ? [150, 140] : [300, 65];
      frame.src = '${HOST}/widget?theme=' + options.theme + '&key=' + options.sitekey;
      const onMessage = ({ source, data }) => source === frame.contentWindow && options[data.event]?.(data.token);
      addEventListener('message', onMessage);
      container.append(frame);
      return String(cleanups.push(() => { frame.remove(); removeEventListener('message', onMessage); }) - 1);
    },
    remove: (widget) => cleanups[widget](),
  };
  captchaIsReady();
})()`;

const button = (label: string, event: string, token = "''") =>
  `<button onclick="parent.postMessage({ event: '${event}', token: ${token} }, '*')">${label}</button>`;

const WIDGET = `<!doctype html><html lang="en"><title>Captcha</title><main>${[
  button('I am a person', 'callback', "'solved-' + crypto.randomUUID()"),
  button('Guess', 'callback', "'made up'"),
  button('Wait', 'expired-callback'),
  button('Break', 'error-callback'),
].join(' ')}</main></html>`;

export interface FakeWidget {
  /** Paths requested from the provider's host, in order. */
  requestedPaths: string[];
  /** The content of the frame. */
  frame: FrameLocator;
  /** Blocks the provider's script, as a content blocker does, or allows it again. */
  block(isBlocked: boolean): void;
}

/** Handles requests to the provider in every page of the context. */
export async function stubCaptchaWidget(page: Page): Promise<FakeWidget> {
  const requestedPaths: string[] = [];
  let isBlocked = false;
  await page.context().route(`${HOST}/**`, (route) => {
    const { pathname, search } = new URL(route.request().url());
    requestedPaths.push(pathname + search);
    if (isBlocked) return route.abort('blockedbyclient');
    if (pathname === '/widget') return route.fulfill({ contentType: 'text/html', body: WIDGET });
    return route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
  });
  return {
    requestedPaths,
    frame: page.frameLocator('iframe[title=Captcha]'),
    block(blocked) {
      isBlocked = blocked;
    },
  };
}
