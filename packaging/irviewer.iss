; The installer of Windows, for Inno Setup 6: first python packaging\build.py, then
;   iscc /DVersion=1.2.3 packaging\irviewer.iss
; It installs for one user, without the rights of an administrator. Only .irviewer belongs to the program; .run and .qrels
; get an entry in "Open with", and stay with the program that has them.

#ifndef Version
  #error Say the version: iscc /DVersion=1.2.3 packaging\irviewer.iss
#endif

[Setup]
AppId={{6C5F6C0B-52C5-4B5E-9C0E-0C7D2C1A9E41}
AppName=irviewer
AppVersion={#Version}
AppPublisher=The irviewer authors
AppPublisherURL=https://github.com/irviewer/irviewer
LicenseFile=..\LICENSE
DefaultDirName={autopf}\irviewer
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
OutputDir=..\dist
OutputBaseFilename=irviewer-{#Version}-setup
UninstallDisplayIcon={app}\irviewerw.exe
Compression=lzma2
SolidCompression=yes

[Files]
Source: "..\dist\irviewer\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[InstallDelete]
; What an older version had and this one has not must not be imported.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{autoprograms}\irviewer"; Filename: "{app}\irviewerw.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.irviewer\OpenWithProgids"; ValueType: string; ValueName: "irviewer.project"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.irviewer"; ValueType: string; ValueData: "irviewer.project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.run\OpenWithProgids"; ValueType: string; ValueName: "irviewer.run"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.qrels\OpenWithProgids"; ValueType: string; ValueName: "irviewer.qrels"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\irviewer.project"; ValueType: string; ValueData: "irviewer project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\irviewer.project\DefaultIcon"; ValueType: string; ValueData: "{app}\irviewerw.exe,0"
Root: HKA; Subkey: "Software\Classes\irviewer.project\shell\open\command"; ValueType: string; ValueData: """{app}\irviewerw.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\irviewer.run"; ValueType: string; ValueData: "Retrieval run"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\irviewer.run\DefaultIcon"; ValueType: string; ValueData: "{app}\irviewerw.exe,0"
Root: HKA; Subkey: "Software\Classes\irviewer.run\shell\open\command"; ValueType: string; ValueData: """{app}\irviewerw.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\irviewer.qrels"; ValueType: string; ValueData: "Relevance judgments"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\irviewer.qrels\DefaultIcon"; ValueType: string; ValueData: "{app}\irviewerw.exe,0"
Root: HKA; Subkey: "Software\Classes\irviewer.qrels\shell\open\command"; ValueType: string; ValueData: """{app}\irviewerw.exe"" ""%1"""
