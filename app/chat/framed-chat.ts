import type { PagePolicy } from '../api/host/page-policy.ts';
import type { BrandLogo } from '../settings/brand/brand-logo.ts';
import type { Offers } from './message-list.tsx';

/** Element of /chat-embed in which the chat stands, with its FramedChat as JSON in data-chat. */
export const FRAME_ID = 'chat-frame';

/** Files of /chat-embed, which scripts/chat-frame.ts builds. */
export const FRAME_FILES = { script: '/chat-frame.js', style: '/chat-frame.css' };

/** Facts that the server hands to the chat in a frame, which asks for none of them. */
export interface FramedChat {
  siteName: string;
  isOff: boolean;
  offers: Offers;
  logo: BrandLogo | null;
  policy: PagePolicy;
}
