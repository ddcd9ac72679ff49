export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export interface Database {
  public: {
    Tables: {
      user_roles: {
        Row: {user_id: string; role: string; approved: boolean; created_at: string;}
        Insert: {user_id: string; role: string; approved?: boolean; created_at?: string;}
        Update: {user_id?: string; role?: string; approved?: boolean; created_at?: string;}
        Relationships: []
      }
      posts: {
        Row: {id: string; title: string; slug: string; excerpt: string; content: string; category: string; status: string; featured_image: string | null; published_date: string; created_at: string; updated_at: string;}
        Insert: {id?: string; title: string; slug: string; excerpt?: string; content?: string; category?: string; status?: string; featured_image?: string | null; published_date?: string; created_at?: string; updated_at?: string;}
        Update: {id?: string; title?: string; slug?: string; excerpt?: string; content?: string; category?: string; status?: string; featured_image?: string | null; published_date?: string; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      projects: {
        Row: {id: string; title: string; slug: string; company: string; metric: string; description: string; full_content: string; featured_image: string | null; gallery_images: Json; status: string; display_order: number; created_at: string; updated_at: string;}
        Insert: {id?: string; title: string; slug: string; company?: string; metric?: string; description?: string; full_content?: string; featured_image?: string | null; gallery_images?: Json; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Update: {id?: string; title?: string; slug?: string; company?: string; metric?: string; description?: string; full_content?: string; featured_image?: string | null; gallery_images?: Json; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      services: {
        Row: {id: string; title: string; slug: string; icon_name: string | null; short_description: string; long_description: string; timeline: string; pricing: string; deliverables: string[]; status: string; display_order: number; created_at: string; updated_at: string;}
        Insert: {id?: string; title: string; slug: string; icon_name?: string | null; short_description?: string; long_description?: string; timeline?: string; pricing?: string; deliverables?: string[]; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Update: {id?: string; title?: string; slug?: string; icon_name?: string | null; short_description?: string; long_description?: string; timeline?: string; pricing?: string; deliverables?: string[]; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      reviews: {
        Row: {id: string; author_name: string; author_role: string; company: string; rating: number; quote: string; avatar_url: string | null; status: string; display_order: number; created_at: string; updated_at: string;}
        Insert: {id?: string; author_name: string; author_role?: string; company?: string; rating?: number; quote?: string; avatar_url?: string | null; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Update: {id?: string; author_name?: string; author_role?: string; company?: string; rating?: number; quote?: string; avatar_url?: string | null; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      team_members: {
        Row: {id: string; name: string; position: string; bio: string; avatar_url: string | null; social_links: Json; status: string; display_order: number; created_at: string; updated_at: string;}
        Insert: {id?: string; name: string; position?: string; bio?: string; avatar_url?: string | null; social_links?: Json; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Update: {id?: string; name?: string; position?: string; bio?: string; avatar_url?: string | null; social_links?: Json; status?: string; display_order?: number; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      page_content: {
        Row: {id: string; page_slug: string; section_name: string; content: string; content_type: string; created_at: string; updated_at: string;}
        Insert: {id?: string; page_slug: string; section_name: string; content?: string; content_type?: string; created_at?: string; updated_at?: string;}
        Update: {id?: string; page_slug?: string; section_name?: string; content?: string; content_type?: string; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      site_settings: {
        Row: {id: string; setting_key: string; setting_value: string; created_at: string; updated_at: string;}
        Insert: {id?: string; setting_key: string; setting_value?: string; created_at?: string; updated_at?: string;}
        Update: {id?: string; setting_key?: string; setting_value?: string; created_at?: string; updated_at?: string;}
        Relationships: []
      }
      conversations: {
        Row: {id: string; created_at: string; last_message_at: string; message_count: number;}
        Insert: {id?: string; created_at?: string; last_message_at?: string; message_count?: number;}
        Update: {id?: string; created_at?: string; last_message_at?: string; message_count?: number;}
        Relationships: []
      }
      chat_messages: {
        Row: {id: string; conversation_id: string; role: string; content: string; created_at: string;}
        Insert: {id?: string; conversation_id: string; role: string; content: string; created_at?: string;}
        Update: {id?: string; conversation_id?: string; role?: string; content?: string; created_at?: string;}
        Relationships: []
      }
      chat_usage: {
        Row: {replies: number;}
        Insert: {replies?: number;}
        Update: {replies?: number;}
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: { [_ in never]: never }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
