cask "irviewer" do
  version "@VERSION@"
  sha256 "@SHA256 irviewer.dmg@"

  url "https://github.com/irviewer/irviewer/releases/download/v#{version}/irviewer.dmg"
  name "irviewer"
  desc "Debugger for rankings of search engines and answers of RAG systems"
  homepage "https://github.com/irviewer/irviewer"

  depends_on arch: :arm64
  depends_on macos: ">= :ventura"

  app "irviewer.app"
  binary "#{appdir}/irviewer.app/Contents/MacOS/irviewer"

  zap trash: [
    "~/Library/Application Support/irviewer",
    "~/Library/Caches/irviewer",
  ]
end
