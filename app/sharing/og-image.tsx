/** Draws pictures for link previews. Server only: imported on demand, so that neither library reaches a browser. */

import satori from 'satori';
import sharp from 'sharp';
import { acceptedAccent } from '../brand/accent.ts';
import { LIGHT, MARK } from '../brand/brand.ts';
import type { BrandLogo } from '../brand/brand-logo.ts';
import { FONTS } from './fonts.ts';
import { drawLogo } from './logo-picture.ts';

const WIDTH = 1200;
const HEIGHT = 630;

interface OgImageInput {
  /** The small line above. */
  eyebrow: string;
  title: string;
  siteName: string;
  /** As it is saved. */
  accent: string;
  logo: BrandLogo | null;
}

/** Draws a PNG of 1200 x 630 pixels. */
export async function drawOgImage({ accent, logo, ...texts }: OgImageInput): Promise<Uint8Array<ArrayBuffer>> {
  const picture = logo && (await drawLogo(logo.light, { width: 480, height: 64 }));
  const sign = picture && { ...picture, showsName: logo.showsName };
  const svg = await satori(<OgImage {...texts} accent={acceptedAccent(accent)} sign={sign} />, {
    width: WIDTH,
    height: HEIGHT,
    fonts: [...FONTS],
  });
  return new Uint8Array(await sharp(new TextEncoder().encode(svg)).png({ palette: true }).toBuffer());
}

interface OgImageProps extends Pick<OgImageInput, 'eyebrow' | 'title' | 'siteName' | 'accent'> {
  sign: { url: string; width: number; height: number; showsName: boolean } | null;
}

function OgImage({ eyebrow, title, siteName, accent, sign }: OgImageProps) {
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
      <svg
        aria-hidden="true"
        width={WIDTH}
        height={HEIGHT}
        viewBox="0 0 1200 630"
        style={{ position: 'absolute', left: 0, top: 0 }}
        fill="none"
      >
        {[0, 1, 2, 3].map((line) => (
          <path
            key={line}
            d={`M560 ${150 + line * 30}a170 ${130 - line * 22} 0 0 1 340 0a170 ${130 - line * 22} 0 0 0 340 0`}
            stroke={accent}
            strokeOpacity={0.34 - line * 0.075}
            strokeWidth={3}
          />
        ))}
        <circle cx={1070} cy={96} r={40} fill={LIGHT.signal} />
      </svg>
      <div
        style={{ display: 'flex', alignItems: 'center', gap: 18, fontSize: 40, fontWeight: 600, letterSpacing: -1.2 }}
      >
        {sign ? (
          <img src={sign.url} alt="" width={sign.width} height={sign.height} />
        ) : (
          <svg aria-hidden="true" width={60} height={60} viewBox="0 0 32 32" fill="none">
            <path d={MARK.wave} stroke={accent} strokeWidth={3.4} strokeLinecap="round" />
            <circle {...MARK.sun} fill={LIGHT.signal} />
          </svg>
        )}
        {(sign?.showsName ?? true) && siteName}
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 22, maxWidth: 940 }}>
        <div style={{ fontSize: 28, color: LIGHT.muted, textTransform: 'capitalize' }}>{eyebrow}</div>
        <div style={{ fontSize: title.length > 60 ? 62 : 78, fontWeight: 600, lineHeight: 1.06, letterSpacing: -2.4 }}>
          {shorten(title)}
        </div>
      </div>
    </div>
  );
}

/** Cuts a title to what fits into four lines. */
function shorten(title: string): string {
  return title.length <= 120 ? title : `${title.slice(0, 119).trimEnd()}…`;
}
