import type { PagePolicy } from '../api/host/page-policy.ts';
import type { BrandLogo } from '../settings/brand/brand-logo.ts';
import type { Offers } from './message-list.tsx';

/** ID of the root element in /chat-embed. Its data-chat attribute contains a FramedChat as JSON. */
export const FRAME_ID = 'chat-frame';

/** Files that /chat-embed loads, built by scripts/chat-frame.ts. */
export const FRAME_FILES = { script: '/chat-frame.js', style: '/chat-frame.css' };

/** Data that the server passes to the embedded chat, to save requests. */
export interface FramedChat {
  siteName: string;
  isOff: boolean;
  offers: Offers;
  logo: BrandLogo | null;
  policy: PagePolicy;
}
