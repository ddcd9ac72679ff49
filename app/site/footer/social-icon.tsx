import type { SocialLink } from '../../content/pages/footer.ts';

/** Outline icons of the platforms, 24 px. */
const OUTLINES: Record<SocialLink['platform'], string> = {
  facebook:
    'M14 21v-7.5h2.6l.5-3.2H14V8.4c0-1 .4-1.7 1.8-1.7h1.5V3.9c-.4 0-1.2-.1-2.1-.1-2.4 0-4 1.4-4 4.1v2.4H8.5v3.2h2.7V21',
  twitter: 'M4 4l16 16M20 4 4 20',
  instagram:
    'M7.5 3.5h9a4 4 0 0 1 4 4v9a4 4 0 0 1-4 4h-9a4 4 0 0 1-4-4v-9a4 4 0 0 1 4-4ZM12 8.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6ZM17 7h.01',
  linkedin: 'M4.5 9.5V20M4.5 5.2v.1M10 20V9.5M10 14a4.5 4.5 0 0 1 9.5 0v6',
};

export function SocialIcon({ platform }: { platform: SocialLink['platform'] }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className="size-5">
      <path
        d={OUTLINES[platform]}
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
