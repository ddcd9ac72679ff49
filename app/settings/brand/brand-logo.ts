/** The owner's logo, which replaces the built-in mark and name. */
import { createContext } from 'react';

export interface LogoPicture {
  /** URL as stored in content. It has no origin if the site serves the file itself. */
  address: string;
  /** Pixels, or nominal units of an SVG. Only the ratio matters. */
  width: number;
  height: number;
}

export interface BrandLogo {
  /** Picture for light backgrounds. Also used for dark backgrounds unless `dark` is set. */
  light: LogoPicture;
  dark: LogoPicture | null;
  /** True to show the site's name beside the logo. */
  showsName: boolean;
}

/** Null for the built-in mark. */
export const BrandLogoContext = createContext<BrandLogo | null>(null);
