import type { SectionName } from '../../../content/pages/sections.ts';
import { Booking } from '../../../site/home/booking.tsx';
import { DeliverabilitySection } from '../../../site/home/deliverability-section.tsx';
import { FeatureTiles } from '../../../site/home/feature-tiles.tsx';
import { HandoverSection } from '../../../site/home/handover-section.tsx';
import { LogoBanner } from '../../../site/home/logo-banner.tsx';
import { SequenceSection } from '../../../site/home/sequence-section.tsx';
import { Testimonials } from '../../../site/home/testimonials.tsx';
import { EditorTabs } from '../editor-tabs.tsx';
import type { SectionEditorProps } from '../section-editor-props.ts';
import { sectionTab } from '../section-tab.tsx';
import { BookingFields } from './booking-fields.tsx';
import { DeliverabilityFields, HandoverFields, SequenceFields } from './example-section-fields.tsx';
import { FeatureTilesFields } from './feature-tiles-fields.tsx';
import { FooterFields } from './footer-fields.tsx';
import { footerEditingSchema } from './footer-schema.ts';
import { HeadingsFields } from './headings-fields.tsx';
import { HeroFields } from './hero-fields.tsx';
import { FooterPreview, HeadingsPreview, HeroPreview, HighlightsPreview, OrderPreview } from './home-previews.tsx';
import { LogoBannerFields } from './logo-banner-fields.tsx';
import { OrderFields } from './order-fields.tsx';
import { TestimonialsFields } from './testimonials-fields.tsx';
import { UspsFields } from './usps-fields.tsx';

export const HOME_TABS = [
  tab('hero', 'Hero', { Fields: HeroFields, preview: (hero) => <HeroPreview content={hero} /> }),
  tab('logo-banner', 'Logo Banner', {
    Fields: LogoBannerFields,
    preview: ({ logos }) => <LogoBanner logos={logos} />,
    desktopWidth: 768,
  }),
  tab('usps', 'USPs', { Fields: UspsFields, preview: (usps) => <HighlightsPreview content={usps} /> }),
  tab('testimonials', 'Testimonials', {
    Fields: TestimonialsFields,
    preview: (content) => <Testimonials content={content} />,
  }),
  tab('booking', 'Booking', { Fields: BookingFields, preview: (booking) => <Booking booking={booking} /> }),
  tab('footer', 'Footer', {
    Fields: FooterFields,
    preview: (content) => <FooterPreview content={content} />,
    schema: footerEditingSchema,
  }),
  tab('features', 'Feature Tiles', {
    Fields: FeatureTilesFields,
    preview: (content) => <FeatureTiles content={content} />,
  }),
  tab('headings', 'Section Intros', {
    Fields: HeadingsFields,
    preview: (content) => <HeadingsPreview content={content} />,
  }),
  tab('order', 'Order', {
    Fields: OrderFields,
    preview: ({ places }) => <OrderPreview places={places} />,
  }),
  // Listed last, because these sections come with sample content that most sites replace or hide.
  tab('sequence', 'Sequence', {
    Fields: SequenceFields,
    preview: (content) => <SequenceSection content={content} />,
  }),
  tab('deliverability', 'Deliverability', {
    Fields: DeliverabilityFields,
    preview: (content) => <DeliverabilitySection content={content} />,
  }),
  tab('handover', 'Handover', {
    Fields: HandoverFields,
    preview: (content) => <HandoverSection content={content} />,
  }),
];

/** Renders tabs for editing the home page sections. */
export function HomeEditors() {
  return <EditorTabs title="Home Page" tabs={HOME_TABS} />;
}

function tab<Name extends SectionName<'home'>>(
  name: Name,
  label: string,
  props: Omit<SectionEditorProps<'home', Name>, 'page' | 'name'>,
) {
  return sectionTab(label, { page: 'home', name, ...props });
}
