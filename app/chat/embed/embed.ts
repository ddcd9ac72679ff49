/**
 * /embed.js: puts the chat launcher on any site with one tag,
 *   <script async src="https://…/embed.js" data-position="left" data-color="#0a5" data-greeting="Hi!"></script>
 * The launcher appears once a hidden frame of /chat-embed/status has said that the chat is available here: a frame is
 * all that a strict Content-Security-Policy of the host page has to allow. The chat itself is a frame of /chat-embed that
 * is made when the launcher is first pressed. Styles are constructed and set through the object model, for the same reason.
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

/** Key in the storage of the host page, where the frame may have none. */
const CONVERSATION_KEY = 'signalfjord-chat-conversation';
/** The greeting that was dismissed: another one is shown again. */
const DISMISSED_KEY = 'signalfjord-chat-dismissed';

/**
 * Asks a small frame first. Where the chat is not allowed it says nothing, and nothing is shown; of a chat that is
 * switched off nothing stays in the page.
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
  launcher.append(drawBubble());
  launcher.addEventListener('click', open);
  root.append(launcher);
  const bubble = greeting && recall(DISMISSED_KEY) !== greeting ? makeGreeting(greeting, dismiss) : null;
  if (bubble) root.append(bubble);
  host.style.setProperty('--text', isLight(getComputedStyle(launcher).backgroundColor) ? LIGHT.ink : '#fff');

  let frame: HTMLIFrameElement | null = null;
  window.addEventListener('message', onMessage, true);

  function dismiss() {
    bubble?.remove();
    if (greeting) keep(DISMISSED_KEY, greeting);
  }

  function open() {
    dismiss();
    if (!frame) {
      const chat = new URL('/chat-embed', site);
      const conversation = recall(CONVERSATION_KEY);
      const given = { ...(greeting && { greeting }), ...(conversation && { conversation }) };
      chat.hash = new URLSearchParams(given).toString();
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
    // Switched off since the page was opened.
    if (type === 'chat-unavailable') host.remove();
    if (type === 'chat-conversation') keep(CONVERSATION_KEY, event.data.id);
    if (type === 'scroll-to-booking') {
      event.stopImmediatePropagation();
      const isShown = showBooking(site);
      if (isShown && matchMedia('(max-width: 767.98px)').matches) show(false);
    }
  }
}

/**
 * Tells the host page once, from itself, so that it need not trust another origin. A listener that shows a booking
 * section of its own says so with preventDefault(); else the element #booking is scrolled to, or the site's own section
 * opened in a new tab. @returns whether the host page shows it
 */
function showBooking(site: string): boolean {
  const message = new MessageEvent('message', {
    data: { type: 'scroll-to-booking' },
    // Not location.origin: a page made by srcdoc has the origin of the page around it, and an address without one.
    origin: window.origin,
    source: window,
    cancelable: true,
  });
  if (!window.dispatchEvent(message)) return true;
  const booking = document.getElementById('booking');
  if (booking) {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    booking.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth' });
  } else {
    window.open(new URL('/#booking', site), '_blank', 'noopener');
  }
  return booking !== null;
}

function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The host page may not store anything either: kept for this page only.
  }
}

function makeFrame(address: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Chat';
  frame.src = address.href;
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
  const bubble = document.createElement('div');
  bubble.className = 'greeting';
  const words = document.createElement('span');
  words.textContent = text;
  const dismiss = makeButton('', 'Dismiss');
  dismiss.textContent = '×';
  dismiss.addEventListener('click', onDismiss);
  bubble.append(words, dismiss);
  return bubble;
}

function drawBubble(): SVGElement {
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

/** Tells from its relative luminance whether a computed colour is light; colours outside sRGB count as dark. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = color.startsWith('rgb') ? (color.match(/[\d.]+/g) ?? []).map(Number) : [];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !document.querySelector('signalfjord-chat')) {
  const { src, dataset } = script;
  const start = () => addChat(src, dataset);
  // In the head there is no body yet.
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start, { once: true });
}
