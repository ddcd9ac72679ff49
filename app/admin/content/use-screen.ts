import { notFound } from '@tanstack/react-router';
import type { ContentScreen } from './screen.ts';
import { CONTENT_SCREENS } from './screens.ts';

/** The screen of an address /admin/{path}. @throws notFound when there is no such kind of content */
export function useScreen(path: string): ContentScreen {
  const screen = CONTENT_SCREENS.find((candidate) => candidate.path === path);
  if (!screen) throw notFound();
  return screen;
}
