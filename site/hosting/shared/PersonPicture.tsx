interface PersonPictureProps {
  username: string;
  avatar_url: string | null;
  size?: number;
}

/** The picture of a person, or the first letter of the name. */
export function PersonPicture({ username, avatar_url, size = 36 }: PersonPictureProps) {
  const style = { inlineSize: size, blockSize: size };
  if (avatar_url)
    return <img className="person" src={avatar_url} alt="" width={size} height={size} style={style} />;
  return (
    <span className="person" style={style} aria-hidden="true">
      {[...username][0]?.toUpperCase()}
    </span>
  );
}
