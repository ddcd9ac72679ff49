interface VideoPlayerProps {
  src: string;
  title: string;
}

/** Embedded player with autoplay. Receives the focus of the play button, which it replaces. */
export default function VideoPlayer({ src, title }: VideoPlayerProps) {
  return (
    <iframe
      ref={(frame) => frame?.focus()}
      src={src}
      title={title}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // YouTube requires a referrer.
      referrerPolicy="strict-origin-when-cross-origin"
      className="absolute inset-0 size-full border-0"
    />
  );
}
