/**
 * /embed.js: adds the chat launcher to any site with one tag.
 *
 * <script async src="https://…/embed.js" data-position="left" data-color="#0a5" data-greeting="Hi!"></script>
 *
 * A hidden iframe loads /chat-embed/status. The launcher appears when this frame reports that the chat is available. The
 * first click creates a second iframe, which loads /chat-embed. Styles use constructed stylesheets and CSSOM, so a strict
 * CSP of the host page has to allow only the script and the frames.
 */
import { LIGHT } from '../../settings/brand/brand.ts';

const STYLE = `
:host { all: initial; position: fixed; bottom: 0; right: 0; z-index: 2147483000; font: 16px/1.45 system-ui, sans-serif; }
:host([data-side='left']) { right: auto; left: 0; }
[hidden] { display: none !important; }
button { font: inherit; cursor: pointer; border: 0; }
button:focus-visible { outline: 3px solid var(--color); outline-offset: 3px; }
.launcher { position: fixed; bottom: 20px; right: 20px; width: 56px; height: 56px; border-radius: 50%; display: grid;
  place-items: center; background: var(--color); color: var(--text); box-shadow: 0 8px 24px rgb(0 0 0 / 0.25); }
.launcher svg { width: 26px; height: 26px; }
.greeting { position: fixed; bottom: 88px; right: 20px; max-width: min(280px, calc(100vw - 40px)); display: flex;
  gap: 8px; align-items: start; background: #fff; color: ${LIGHT.ink}; border-radius: 14px; padding: 12px 8px 12px 14px;
  box-shadow: 0 8px 24px rgb(0 0 0 / 0.18); }
.greeting span { overflow-wrap: anywhere; }
.greeting button { background: none; color: inherit; width: 28px; height: 28px; font-size: 20px; line-height: 1; flex: none; }
iframe { position: fixed; bottom: 20px; right: 20px; width: clamp(400px, 30vw, 544px); height: min(896px, calc(100dvh - 40px)); border: 0;
  border-radius: 20px; background: #fff; box-shadow: 0 24px 56px rgb(0 0 0 / 0.3); color-scheme: normal; }
:host([data-side='left']) :where(.launcher, .greeting, iframe) { right: auto; left: 20px; }
@media (max-width: 767.98px) {
  iframe, :host([data-side='left']) iframe { inset: 0; width: 100%; height: 100dvh; border-radius: 0; }
}
`;

/** `localStorage` key on the host page, because third-party frames may have no storage. */
const CONVERSATION_KEY = 'signalfjord-chat-conversation';
/** `localStorage` key for the dismissed greeting. A changed greeting is shown again. */
const DISMISSED_KEY = 'signalfjord-chat-dismissed';

/**
 * Loads the status frame and shows the launcher once the frame reports that the chat is available. If the chat is off,
 * the custom element is removed. On sites that are not allowed, the frame sends no message and nothing is shown.
 */
function addChat(site: string, options: DOMStringMap): void {
  const host = document.createElement('signalfjord-chat');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const status = makeFrame(new URL('/chat-embed/status', site));
  status.hidden = true;
  root.append(status);
  window.addEventListener('message', function onMessage(event) {
    const type: unknown = event.data?.type;
    if (event.source !== status.contentWindow || (type !== 'chat-available' && type !== 'chat-unavailable')) return;
    window.removeEventListener('message', onMessage);
    if (type === 'chat-unavailable') return host.remove();
    status.remove();
    showLauncher(host, root, site, { color: event.data.color, ...options });
  });
  document.body.append(host);
}

function showLauncher(host: HTMLElement, root: ShadowRoot, site: string, options: DOMStringMap): void {
  const greeting = options['greeting']?.trim().slice(0, 300) ?? '';
  host.dataset['side'] = /left/.test(options['position'] ?? '') ? 'left' : 'right';
  const color = options['color'] && CSS.supports('color', options['color']) ? options['color'] : LIGHT.accent;
  host.style.setProperty('--color', color);

  const launcher = makeButton('launcher', 'Open chat');
  launcher.setAttribute('aria-haspopup', 'dialog');
  launcher.setAttribute('aria-expanded', 'false');
  launcher.append(createChatIcon());
  launcher.addEventListener('click', open);
  root.append(launcher);
  const greetingElement = greeting && readStorage(DISMISSED_KEY) !== greeting ? makeGreeting(greeting, dismiss) : null;
  if (greetingElement) root.append(greetingElement);
  host.style.setProperty('--text', isLight(getComputedStyle(launcher).backgroundColor) ? LIGHT.ink : '#fff');

  let frame: HTMLIFrameElement | null = null;
  window.addEventListener('message', onMessage, true);

  function dismiss() {
    greetingElement?.remove();
    if (greeting) writeStorage(DISMISSED_KEY, greeting);
  }

  function open() {
    dismiss();
    if (!frame) {
      const chat = new URL('/chat-embed', site);
      const conversation = readStorage(CONVERSATION_KEY);
      const parameters = { ...(greeting && { greeting }), ...(conversation && { conversation }) };
      chat.hash = new URLSearchParams(parameters).toString();
      frame = makeFrame(chat);
      frame.allow = 'clipboard-write';
      frame.addEventListener('load', () => frame?.focus());
      root.append(frame);
    }
    show(true);
    frame.focus();
  }

  function show(isOpen: boolean) {
    if (frame) frame.hidden = !isOpen;
    launcher.hidden = isOpen;
    launcher.setAttribute('aria-expanded', String(isOpen));
  }

  function onMessage(event: MessageEvent) {
    if (!frame || event.source !== frame.contentWindow || event.origin !== new URL(site).origin) return;
    const type: unknown = event.data?.type;
    if (type === 'close-chat') {
      show(false);
      launcher.focus();
    }
    // Disabled after the page was loaded.
    if (type === 'chat-unavailable') host.remove();
    if (type === 'chat-conversation') writeStorage(CONVERSATION_KEY, event.data.id);
    if (type === 'scroll-to-booking') {
      event.stopImmediatePropagation();
      const isShown = showBooking(site);
      if (isShown && matchMedia('(max-width: 767.98px)').matches) show(false);
    }
  }
}

/**
 * Dispatches an event on the host page, so that the page does not have to trust messages from another origin. A page
 * that shows its own booking section calls preventDefault() in its listener. Otherwise this scrolls to #booking, or
 * opens the site's booking section in a new tab.
 *
 * @returns true if the host page has a booking section
 */
function showBooking(site: string): boolean {
  const message = new MessageEvent('message', {
    data: { type: 'scroll-to-booking' },
    // Do not use location.origin: an srcdoc page inherits the origin of its parent, but its location.origin is 'null'.
    origin: window.origin,
    source: window,
    cancelable: true,
  });
  if (!window.dispatchEvent(message)) return true;
  const booking = document.getElementById('booking');
  if (booking) {
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    booking.scrollIntoView({ behavior: prefersReducedMotion ? 'auto' : 'smooth' });
  } else {
    window.open(new URL('/#booking', site), '_blank', 'noopener');
  }
  return booking !== null;
}

function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // If storage is also blocked on the host page, the value is lost on reload.
  }
}

function makeFrame(url: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Chat';
  frame.src = url.href;
  return frame;
}

function makeButton(className: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.setAttribute('aria-label', label);
  return button;
}

function makeGreeting(text: string, onDismiss: () => void): HTMLElement {
  const greetingElement = document.createElement('div');
  greetingElement.className = 'greeting';
  const content = document.createElement('span');
  content.textContent = text;
  const dismiss = makeButton('', 'Dismiss');
  dismiss.textContent = '×';
  dismiss.addEventListener('click', onDismiss);
  greetingElement.append(content, dismiss);
  return greetingElement;
}

function createChatIcon(): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const attributes = {
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '2',
    'aria-hidden': 'true',
  };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z');
  path.setAttribute('stroke-linejoin', 'round');
  svg.append(path);
  return svg;
}

/** Returns whether a computed colour is light, based on its luma. Colours outside sRGB count as dark. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = color.startsWith('rgb') ? (color.match(/[\d.]+/g) ?? []).map(Number) : [];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !document.querySelector('signalfjord-chat')) {
  const { src, dataset } = script;
  const start = () => addChat(src, dataset);
  // A script in the head runs before the body exists.
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start, { once: true });
}
