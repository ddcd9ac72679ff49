/** The owner's logo, which stands where the built-in mark and name would. */
import { createContext } from 'react';

export interface LogoPicture {
  /** As content keeps it: without the origin where the site serves it itself. */
  address: string;
  /** In pixels, or the nominal ones of an SVG: their proportion counts. */
  width: number;
  height: number;
}

export interface BrandLogo {
  /** Picture for light grounds, and for dark ones as well while those have none. */
  light: LogoPicture;
  dark: LogoPicture | null;
  /** True when the site's name stands beside it; otherwise the logo says the name itself. */
  showsName: boolean;
}

/** Null while the built-in mark is shown. */
export const BrandLogoContext = createContext<BrandLogo | null>(null);
