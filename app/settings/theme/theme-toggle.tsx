import { Monitor, Moon, Sun } from 'lucide-react';
import { buttonClass } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { cycleThemeMode, useThemeMode } from './theme.ts';

/**
 * Cycles through system, light and dark. CSS selects the icon by an attribute that the inline script sets before the
 * first paint, so the icon does not change on hydration.
 */
export function ThemeToggle() {
  const mode = useThemeMode();
  return (
    <Tooltip label={`Theme: ${mode}`}>
      <button
        type="button"
        aria-label="Toggle theme"
        onClick={cycleThemeMode}
        className={buttonClass({ variant: 'ghost', size: 'icon' })}
      >
        <Monitor aria-hidden="true" className="hidden in-data-[theme-mode=system]:block" />
        <Sun aria-hidden="true" className="hidden in-data-[theme-mode=light]:block" />
        <Moon aria-hidden="true" className="hidden in-data-[theme-mode=dark]:block" />
      </button>
    </Tooltip>
  );
}
