/** Draws link preview images. Server only. Imported on demand to keep the libraries out of the browser. */

import satori from 'satori';
import sharp from 'sharp';
import { acceptedAccent } from '../../settings/brand/accent.ts';
import { ART, LIGHT, MARK } from '../../settings/brand/brand.ts';
import type { BrandLogo } from '../../settings/brand/brand-logo.ts';
import type { CoverSubject } from '../../ui/cover-input.ts';
import { drawCover, findSun } from '../../ui/cover-shapes.ts';
import { FONTS } from './fonts.ts';
import { drawLogo } from './logo-picture.ts';

const WIDTH = 1200;
const HEIGHT = 630;

/** Width of the cover, which fills the right edge at full height. */
const COVER_WIDTH = 400;

interface OgImageInput {
  /** Line above the title. */
  eyebrow: string;
  title: string;
  /** Item or page whose cover is drawn. */
  subject: CoverSubject;
  siteName: string;
  /** Accent colour as saved in the settings. */
  accent: string;
  logo: BrandLogo | null;
}

/** Draws a PNG of 1200 x 630 px. */
export async function drawOgImage({ accent, logo, ...content }: OgImageInput): Promise<Uint8Array<ArrayBuffer>> {
  const picture = logo && (await drawLogo(logo.light, { width: 480, height: 64 }));
  const logoImage = picture && { ...picture, showsName: logo.showsName };
  const svg = await satori(<OgImage {...content} accent={acceptedAccent(accent)} logoImage={logoImage} />, {
    width: WIDTH,
    height: HEIGHT,
    fonts: [...FONTS],
  });
  return new Uint8Array(await sharp(new TextEncoder().encode(svg)).png({ palette: true }).toBuffer());
}

interface OgImageProps extends Pick<OgImageInput, 'eyebrow' | 'title' | 'subject' | 'siteName' | 'accent'> {
  logoImage: { url: string; width: number; height: number; showsName: boolean } | null;
}

function OgImage({ eyebrow, title, subject, siteName, accent, logoImage }: OgImageProps) {
  return (
    <div
      style={{
        boxSizing: 'border-box',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        width: WIDTH,
        height: HEIGHT,
        padding: '64px 80px 72px',
        backgroundColor: LIGHT.canvas,
        color: LIGHT.ink,
        fontFamily: 'Schibsted Grotesk',
      }}
    >
      <img
        src={coverDataUrl(subject)}
        alt=""
        width={COVER_WIDTH}
        height={HEIGHT}
        style={{ position: 'absolute', right: 0, top: 0 }}
      />
      <div
        style={{ display: 'flex', alignItems: 'center', gap: 18, fontSize: 40, fontWeight: 600, letterSpacing: -1.2 }}
      >
        {logoImage ? (
          <img src={logoImage.url} alt="" width={logoImage.width} height={logoImage.height} />
        ) : (
          <svg aria-hidden="true" width={60} height={60} viewBox="0 0 32 32" fill="none">
            <path d={MARK.wave} stroke={accent} strokeWidth={3.4} strokeLinecap="round" />
            <circle {...MARK.sun} fill={LIGHT.signal} />
          </svg>
        )}
        {(logoImage?.showsName ?? true) && <span>{siteName}</span>}
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 22, maxWidth: WIDTH - COVER_WIDTH - 140 }}>
        <div style={{ fontSize: 28, color: LIGHT.muted }}>{eyebrow}</div>
        {subject.figure && <OgFigure text={subject.figure} accent={accent} />}
        <div
          style={{
            fontSize: subject.figure ? 40 : title.length > 90 ? 46 : title.length > 50 ? 56 : 68,
            fontWeight: 600,
            lineHeight: 1.06,
            display: 'flex',
            flexWrap: 'wrap',
            columnGap: '0.24em',
            letterSpacing: subject.figure ? -1.2 : -2.4,
          }}
        >
          {splitWords(shorten(title)).map(({ word, index }) => (
            <span key={index} style={word.length < 24 ? { whiteSpace: 'nowrap' } : {}}>
              {word}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Shows the key figure of a case with a large number and smaller words: "+40%" "qualified meetings". */
function OgFigure({ text, accent }: { text: string; accent: string }) {
  const [, number = '', label = ''] = /^(\S*\d\S*)\s*(.*)$/.exec(text) ?? ['', '', text];
  return (
    <div style={{ display: 'flex', flexDirection: 'column', color: accent, fontWeight: 600 }}>
      {number && <div style={{ fontSize: 96, lineHeight: 1, letterSpacing: -4 }}>{number}</div>}
      {label && <div style={{ fontSize: 36, lineHeight: 1.15 }}>{label}</div>}
    </div>
  );
}

/** Returns the cover as a data URL, in light theme colours and cropped around the sun. */
function coverDataUrl(subject: CoverSubject): string {
  const picture = drawCover(subject);
  const shapes = picture.replaceAll(/var\(--art-(\w+)\)/g, (_, role: keyof typeof ART) => ART[role]);
  const width = (COVER_WIDTH / HEIGHT) * 500;
  // Crop around the sun, because a centre crop can cut off the main motif.
  const left = Math.max(0, Math.min(800 - width, findSun(picture) - width / 2));
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${COVER_WIDTH}" height="${HEIGHT}" ` +
    `viewBox="${left} 0 ${width} 500">${shapes}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/**
 * Returns the words of a title. Each word is rendered in its own box, because text breaks at hyphens and the font has no non-breaking
 * hyphen.
 */
function splitWords(title: string): { word: string; index: number }[] {
  return [...title.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, index }));
}

/** Truncates a title to fit beside the cover. */
function shorten(title: string): string {
  return title.length <= 120 ? title : `${title.slice(0, 119).trimEnd()}…`;
}
