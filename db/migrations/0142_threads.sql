-- Garbage collection looks images of texts up by the original too.

create index images_raw_keys on images (raw_key);
