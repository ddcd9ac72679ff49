interface VideoPlayerProps {
  src: string;
  title: string;
}

/** The frame of another host's player, which begins to play. It takes the focus from the button that called it. */
export default function VideoPlayer({ src, title }: VideoPlayerProps) {
  return (
    <iframe
      ref={(frame) => frame?.focus()}
      src={src}
      title={title}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // YouTube plays nothing for a page that it is not told of.
      referrerPolicy="strict-origin-when-cross-origin"
      className="absolute inset-0 size-full border-0"
    />
  );
}
