import { Play } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { useAllowed } from '../api/host/page-policy.ts';
import { CoverArt } from './cover-art.tsx';
import { lazy } from './lazy.tsx';
import type { Video as AnyVideo } from './lib/video-url.ts';

const VideoPlayer = lazy(() => import('./video-player.tsx'));

interface VideoProps {
  video: AnyVideo;
  /** True if the page may reload for a player that its CSP blocks. Otherwise the card is a link. */
  mayReload: boolean;
  /** Replaces the video if the CSP blocks it. */
  fallback: ReactNode;
}

/** Video of our media library, or a card that loads an external player only on click. */
export function Video({ video, mayReload, fallback }: VideoProps) {
  const isAllowed = useAllowed('media');
  if (video.host) return <VideoCard video={video} mayReload={mayReload} />;
  if (!isAllowed(video.file)) return fallback;
  return (
    // biome-ignore lint/a11y/useMediaCaption: Markdown has no place for captions
    <video
      src={video.file}
      controls
      preload="metadata"
      playsInline
      aria-label="Video"
      className="aspect-video w-full rounded-lg border border-line bg-sunken"
    >
      <a href={video.file}>{video.file}</a>
    </video>
  );
}

/** Placeholder of a player. Without JavaScript, or if the CSP blocks the player, it links to the video. */
function VideoCard({ video, mayReload }: { video: AnyVideo & { host: string }; mayReload: boolean }) {
  const isAllowed = useAllowed('frames')(video.player);
  const [state, setState] = useState<'card' | 'link' | 'player'>('card');

  useEffect(() => {
    if (consumePlayRequest(video.player)) setState(isAllowed ? 'player' : 'link');
  }, [video.player, isAllowed]);

  const onClick = (event: MouseEvent) => {
    const opensNewTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (opensNewTab || state === 'link' || !(isAllowed || mayReload)) return;
    event.preventDefault();
    if (isAllowed) return setState('player');
    // A document keeps its CSP during client-side navigation. After a reload, the page's own CSP includes the host.
    sessionStorage.setItem(PLAY_REQUEST_KEY, `${Date.now()} ${video.player}`);
    window.location.reload();
  };

  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="relative aspect-video bg-sunken">
        {state === 'player' ? (
          <VideoPlayer src={video.player} title={`${video.host} video`} />
        ) : (
          <a
            href={video.page}
            rel="noopener"
            // Opens a new tab if the card is only a link, so that form input is kept.
            target={isAllowed || mayReload ? undefined : '_blank'}
            aria-label={`Play the video from ${video.host}`}
            onClick={onClick}
            className="group absolute inset-0 grid place-items-center focus-visible:-outline-offset-2"
          >
            <span aria-hidden="true" className="absolute inset-0 [&>svg]:size-full">
              <CoverArt subject={{ slug: video.page }} />
            </span>
            <span className="relative grid size-16 place-items-center rounded-full bg-accent text-on-accent shadow-lg transition-transform duration-200 group-hover:scale-105 sm:size-20">
              <Play aria-hidden="true" className="size-7 translate-x-0.5 fill-current sm:size-8" />
            </span>
          </a>
        )}
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-3 text-sm text-muted">
        <span>{video.host} receives a request only when you press play.</span>
        <a href={video.page} rel="noopener" className="text-accent underline decoration-line-strong underline-offset-4">
          Watch on {video.host}
        </a>
      </figcaption>
    </figure>
  );
}

/** Player to start after the reload, with a timestamp. */
const PLAY_REQUEST_KEY = 'video-to-play';
const PLAY_REQUEST_MS = 20_000;

/** Returns true if this player was requested a moment ago. Clears the request. */
function consumePlayRequest(player: string): boolean {
  const [time, requested] = sessionStorage.getItem(PLAY_REQUEST_KEY)?.split(' ') ?? [];
  const isFresh = Date.now() - Number(time) < PLAY_REQUEST_MS;
  if (isFresh && requested !== player) return false;
  sessionStorage.removeItem(PLAY_REQUEST_KEY);
  return isFresh;
}
