/**
 * Entry point of the embedded chat. It uses React without the site's router and query cache. A separate build
 * (scripts/chat-frame.ts) keeps it small.
 */
// Import statically, because every chat needs this code immediately and a separate chunk would cost a request.
import '@supabase/postgrest-js';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DocumentPolicy } from '../api/host/page-policy.ts';
import { BrandLogoContext } from '../settings/brand/brand-logo.ts';
import { followTheme } from '../settings/theme/theme.ts';
import { PlainToasts } from '../ui/plain-toasts.tsx';
import { onQueuedToasts, type ToastRequest } from '../ui/toast.ts';
import { ChatFrame } from './chat-frame.tsx';
import { FRAME_ID, type FramedChat } from './framed-chat.ts';

const frame = document.getElementById(FRAME_ID);
if (frame?.dataset['chat']) {
  const chat: FramedChat = JSON.parse(frame.dataset['chat']);
  followTheme();
  createRoot(frame).render(
    <StrictMode>
      <DocumentPolicy value={chat.policy}>
        <BrandLogoContext value={chat.logo}>
          <ChatFrame chat={chat} isReady />
          <Toasts />
        </BrandLogoContext>
      </DocumentPolicy>
    </StrictMode>,
  );
}

function Toasts() {
  const [queuedToasts, setQueuedToasts] = useState<readonly ToastRequest[]>([]);
  useEffect(() => onQueuedToasts(setQueuedToasts), []);
  return queuedToasts.length > 0 && <PlainToasts queuedToasts={queuedToasts} />;
}
