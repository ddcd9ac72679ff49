/** The owner's logo. Replaces the built-in mark and name. */
import { createContext } from 'react';

export interface LogoPicture {
  /** URL as stored in content. Has no origin if the site serves the file itself. */
  address: string;
  /** Width in pixels, or in nominal units for an SVG, because only the ratio matters. */
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
