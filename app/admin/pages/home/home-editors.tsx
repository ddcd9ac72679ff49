import { Booking } from '../../../site/home/booking.tsx';
import { Highlights } from '../../../site/home/highlights.tsx';
import { LogoBanner } from '../../../site/home/logo-banner.tsx';
import { Testimonials } from '../../../site/home/testimonials.tsx';
import { EditorTabs } from '../editor-tabs.tsx';
import { SectionEditor } from '../section-editor.tsx';
import { BookingFields } from './booking-fields.tsx';
import { FooterFields } from './footer-fields.tsx';
import { footerEditingSchema } from './footer-schema.ts';
import { HeroFields } from './hero-fields.tsx';
import { FooterPreview, HeroPreview } from './home-previews.tsx';
import { LogoBannerFields } from './logo-banner-fields.tsx';
import { TestimonialsFields } from './testimonials-fields.tsx';
import { UspsFields } from './usps-fields.tsx';

export function HomeEditors() {
  return (
    <EditorTabs
      title="Home Page"
      tabs={[
        {
          value: 'hero',
          label: 'Hero',
          editor: (
            <SectionEditor
              page="home"
              name="hero"
              Fields={HeroFields}
              preview={(content) => <HeroPreview content={content} />}
            />
          ),
        },
        {
          value: 'logo-banner',
          label: 'Logo Banner',
          editor: (
            <SectionEditor
              page="home"
              name="logo-banner"
              Fields={LogoBannerFields}
              preview={(content) => <LogoBanner logos={content.logos} />}
            />
          ),
        },
        {
          value: 'usps',
          label: 'USPs',
          editor: (
            <SectionEditor
              page="home"
              name="usps"
              Fields={UspsFields}
              preview={(content) => <Highlights usps={content} />}
            />
          ),
        },
        {
          value: 'testimonials',
          label: 'Testimonials',
          editor: (
            <SectionEditor
              page="home"
              name="testimonials"
              Fields={TestimonialsFields}
              preview={(content) => <Testimonials content={content} />}
            />
          ),
        },
        {
          value: 'booking',
          label: 'Booking',
          editor: (
            <SectionEditor
              page="home"
              name="booking"
              Fields={BookingFields}
              preview={(content) => <Booking booking={content} />}
            />
          ),
        },
        {
          value: 'footer',
          label: 'Footer',
          editor: (
            <SectionEditor
              page="home"
              name="footer"
              Fields={FooterFields}
              preview={(content) => <FooterPreview content={content} />}
              schema={footerEditingSchema}
            />
          ),
        },
      ]}
    />
  );
}
