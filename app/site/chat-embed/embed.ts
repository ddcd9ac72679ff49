/**
 * /embed.js: puts the chat launcher on any site with one tag,
 *   <script async src="https://…/embed.js" data-position="left" data-color="#0a5" data-greeting="Hi!"></script>
 * The chat itself is a frame of /chat-embed that is made when the launcher is first pressed. Styles are constructed
 * and set through the object model, which a strict Content-Security-Policy of the host page allows.
 */
import { LIGHT } from '../../lib/brand.ts';

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
iframe { position: fixed; bottom: 20px; right: 20px; width: 400px; height: min(640px, calc(100dvh - 40px)); border: 0;
  border-radius: 20px; background: #fff; box-shadow: 0 24px 56px rgb(0 0 0 / 0.3); color-scheme: normal; }
:host([data-side='left']) :is(.launcher, .greeting, iframe) { right: auto; left: 20px; }
@media (max-width: 767.98px) {
  iframe, :host([data-side='left']) iframe { inset: 0; width: 100%; height: 100dvh; border-radius: 0; }
}
`;

function addChat(chat: URL, options: DOMStringMap): void {
  const greeting = options['greeting']?.trim().slice(0, 300) ?? '';
  if (greeting) chat.hash = new URLSearchParams({ greeting }).toString();

  const host = document.createElement('signalfjord-chat');
  host.dataset['side'] = /left/.test(options['position'] ?? '') ? 'left' : 'right';
  const color = options['color'] && CSS.supports('color', options['color']) ? options['color'] : LIGHT.accent;
  host.style.setProperty('--color', color);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];

  const launcher = makeButton('launcher', 'Open chat');
  launcher.setAttribute('aria-haspopup', 'dialog');
  launcher.setAttribute('aria-expanded', 'false');
  launcher.append(drawBubble());
  launcher.addEventListener('click', open);
  root.append(launcher);
  const bubble = greeting ? makeGreeting(greeting) : null;
  if (bubble) root.append(bubble);
  document.body.append(host);
  host.style.setProperty('--text', isLight(getComputedStyle(launcher).backgroundColor) ? LIGHT.ink : '#fff');

  let frame: HTMLIFrameElement | null = null;
  window.addEventListener('message', onMessage, true);

  function open() {
    bubble?.remove();
    if (!frame) {
      frame = document.createElement('iframe');
      frame.title = 'Chat';
      frame.allow = 'clipboard-write';
      frame.src = chat.href;
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
    if (!frame || event.source !== frame.contentWindow || event.origin !== chat.origin) return;
    const type: unknown = event.data?.type;
    if (type === 'close-chat') {
      show(false);
      launcher.focus();
    }
    if (type === 'scroll-to-booking') {
      // The host page hears it once, from itself, so that it need not trust another origin.
      event.stopImmediatePropagation();
      if (matchMedia('(max-width: 767.98px)').matches) show(false);
      // Not location.origin: a page made by srcdoc has the origin of the page around it, and an address without one.
      window.postMessage({ type: 'scroll-to-booking' }, window.origin);
    }
  }
}

function makeButton(className: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.setAttribute('aria-label', label);
  return button;
}

function makeGreeting(text: string): HTMLElement {
  const bubble = document.createElement('div');
  bubble.className = 'greeting';
  const words = document.createElement('span');
  words.textContent = text;
  const dismiss = makeButton('', 'Dismiss');
  dismiss.textContent = '×';
  dismiss.addEventListener('click', () => bubble.remove());
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

/** By the relative luminance of a computed colour; colours outside sRGB count as dark. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = color.startsWith('rgb') ? (color.match(/[\d.]+/g) ?? []).map(Number) : [];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !document.querySelector('signalfjord-chat')) {
  const { src, dataset } = script;
  const start = () => addChat(new URL('/chat-embed', src), dataset);
  // In the head there is no body yet.
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start, { once: true });
}
