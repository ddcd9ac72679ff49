import { expect, test } from 'vitest';
import { parseVideoUrl } from './video-url.ts';

const ID = 'dQw4w9WgXcQ';

test.each([
  [`https://www.youtube.com/watch?v=${ID}`, ''],
  [`https://youtube.com/watch?list=x&v=${ID}`, ''],
  [`HTTP://M.YouTube.com/watch?v=${ID}&t=90`, '&start=90'],
  [`https://youtu.be/${ID}?si=abc&t=1m30s`, '&start=90'],
  [`https://youtu.be/${ID}?t=1h2m3s`, '&start=3723'],
  [`https://www.youtube.com/shorts/${ID}`, ''],
  [`https://www.youtube.com/live/${ID}?t=x`, ''],
  [`https://www.youtube-nocookie.com/embed/${ID}?start=7`, '&start=7'],
])('Recognises %s as a YouTube video', (url, start) => {
  expect(parseVideoUrl(url)).toMatchObject({
    host: 'YouTube',
    player: `https://www.youtube-nocookie.com/embed/${ID}?autoplay=1&rel=0${start}`,
  });
});

test.each([
  ['https://vimeo.com/76979871', '76979871?autoplay=1&dnt=1'],
  ['https://vimeo.com/channels/staffpicks/76979871', '76979871?autoplay=1&dnt=1'],
  ['https://vimeo.com/76979871/8272103f6e#t=1m2s', '76979871?h=8272103f6e&autoplay=1&dnt=1#t=62s'],
  ['https://player.vimeo.com/video/76979871?h=8272103f6e', '76979871?h=8272103f6e&autoplay=1&dnt=1'],
])('Recognises %s as a Vimeo video', (url, player) => {
  expect(parseVideoUrl(url)).toMatchObject({ host: 'Vimeo', player: `https://player.vimeo.com/video/${player}` });
});

test.each([
  ['/storage/v1/object/public/content-media/a%20b.mp4', '/storage/v1/object/public/content-media/a%20b.mp4'],
  ['https://a.example/storage/v1/object/public/m/x/y.WEBM', 'https://a.example/storage/v1/object/public/m/x/y.WEBM'],
])('Recognises %s as a video of the media library', (url, file) => {
  expect(parseVideoUrl(url)).toEqual({ host: null, file });
});

test.each([
  `https://youtube.com.evil.example/watch?v=${ID}`,
  `https://evil-youtube.com/watch?v=${ID}`,
  `https://youtube.com@evil.example/watch?v=${ID}`,
  `https://evil@youtube.com/watch?v=${ID}`,
  `https://youtube.com:8443/watch?v=${ID}`,
  `https://youtube.com./watch?v=${ID}`,
  `https://xn--yutube-wqf.com/watch?v=${ID}`,
  `https://evil.example/https://youtu.be/${ID}`,
  `https://youtu.be/${ID}x`,
  'https://youtu.be/%22onload=%22x',
  'https://www.youtube.com/@channel',
  'https://www.youtube.com/watch?v="><script>',
  'https://vimeo.com/about',
  'https://vimeo.com.evil.example/76979871',
  'https://vimeo.com/76979871/not-hex',
  `javascript:https://youtu.be/${ID}`,
  `//youtu.be/${ID}`,
  '//evil.example/storage/v1/object/public/m/x.mp4',
  '/storage/v1/object/public/content-media/a.mp4.html',
  '/storage/v1/object/sign/content-media/a.mp4',
  'a.mp4',
  '',
])('Does not recognise %j as a video', (url) => {
  expect(parseVideoUrl(url)).toBeNull();
});
