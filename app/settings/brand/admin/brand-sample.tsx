import { ArrowRight, Check } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CoverArt } from '../../../ui/cover-art.tsx';
import { Eyebrow } from '../../../ui/section-heading.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { Brand } from '../brand-editing.ts';
import { BrandLogoContext } from '../brand-logo.ts';
import { Logo, LogoMark } from '../logo.tsx';

/** Renders a sample of the components that use the brand. */
export function BrandSample({ siteName, logo: { light, ...logo } }: { siteName: string; logo: Brand['logo'] }) {
  return (
    <BrandLogoContext value={light && { light, ...logo }}>
      <div className="grid bg-canvas">
        <div className="flex h-15 items-center justify-between gap-4 border-b border-line px-5">
          <Logo name={siteName} />
          <span className="text-[0.9375rem] font-medium text-accent underline underline-offset-4">Contact</span>
        </div>
        <div className="grid gap-5 p-5 sm:grid-cols-[3fr_2fr]">
          <div className="grid content-start gap-4">
            <Eyebrow>What we do</Eyebrow>
            <p className="text-display-3">What your visitors see first</p>
            <div className="flex flex-wrap gap-3">
              <Button>
                Work with us
                <ArrowRight aria-hidden="true" />
              </Button>
              <Button variant="secondary">Learn more</Button>
            </div>
            <div className="flex flex-wrap items-center gap-4">
              <Badge tone="accent">published</Badge>
              <Switch label="On" defaultChecked />
            </div>
            <p className="flex items-center gap-3 rounded-md bg-accent-soft p-3 text-sm">
              <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />
              Your message was sent
            </p>
          </div>
          <div className="grid content-start gap-4">
            <div className="h-28 overflow-hidden rounded-lg">
              <CoverArt subject={{ slug: 'brand' }} />
            </div>
            <div className="rounded-lg bg-slab p-4 text-sm text-on-slab">Which number do you want to change?</div>
            <div className="flex items-center gap-3 rounded-md border border-line bg-surface p-3 text-sm">
              <LogoMark className="size-7" />
              <span className="truncate font-semibold">{siteName}</span>
            </div>
          </div>
        </div>
      </div>
    </BrandLogoContext>
  );
}
